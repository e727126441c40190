import { html } from '../html.ts'

/** Shown in development to requests from elsewhere. */
export const refusedPage = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not from here</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>This page is for the machine that the server runs on</h1>
<p>Open it there as <code>http://localhost</code> with the port of the server, or use
<code>pages({ audience: 'everybody' })</code>, for a server in a container for example.</p>
</body>
</html>
`
