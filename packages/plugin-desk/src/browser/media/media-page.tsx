export default function MediaPage() {
  return <main id="main" />
}
