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
<p>Open it there as <code>http://localhost</code> with the port of the server. From another machine, through a proxy or in a
container, open the address with <code>?token=</code> that the server printed when it started.</p>
</body>
</html>
`
