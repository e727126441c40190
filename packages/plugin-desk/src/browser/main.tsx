import { createRoot } from 'react-dom/client'

const root = document.getElementById('desk')
if (root) createRoot(root).render(<p>{root.dataset.title}</p>)
