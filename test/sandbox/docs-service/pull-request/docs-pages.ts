/** A page of the documentation that jobs are about. */
export interface DocsPage {
  readonly path: string
  /** Words of a prompt that point at this page. */
  readonly about: RegExp
  readonly text: string
}

export const DOCS_PAGES: readonly DocsPage[] = [
  {
    path: "guides/webhooks.mdx",
    about: /webhook|event|callback|signature|deliver/i,
    text: `---
title: "Webhooks"
description: "Hear about changes as they happen"
---

Webhooks tell your server about a change within seconds. You receive one
request for each event.

## Register an endpoint

1. Open **Settings > Webhooks**.
2. Choose **Add endpoint** and paste an HTTPS address.
3. Select the events you need.

## Verify the signature

Every request carries a signature made with your endpoint's secret.
Compare it before you read the body.

\`\`\`ts
const valid = verify(request.headers["x-signature"], body, secret)
\`\`\`

## Retries

A delivery counts as successful when your server answers with a 2xx status.
Anything else is tried again for 24 hours.

## Next steps

- [Event types](/api-reference/events)
- [Test in a sandbox](/guides/sandboxes)
`,
  },
  {
    path: "api-reference/authentication.mdx",
    about: /auth|key|token|login|sign.?in|permission|secret|sso/i,
    text: `---
title: "Authentication"
description: "API keys and what they may do"
---

Every request needs an API key in the \`Authorization\` header.

\`\`\`bash
curl https://api.example.com/v2/projects \\
  -H "Authorization: Bearer $API_KEY"
\`\`\`

## Create a key

Keys belong to a project. Create one on the **API keys** page and copy it
at once: it is not shown again.

## Scopes

Give each key only the scopes that are necessary. Use separate keys for
staging and production.

## Expiry

Keys expire after 90 days. Requests with an expired key answer \`401\`.

## Next steps

- [Rate limits](/api-reference/rate-limits)
- [Errors](/api-reference/errors)
`,
  },
  {
    path: "api-reference/rate-limits.mdx",
    about: /rate|limit|quota|throttl|429|slow|paginat|cursor/i,
    text: `---
title: "Rate limits"
description: "How many requests you can send, and what happens beyond that"
---

Limits protect everybody's requests. They are counted per project.

## Limits

| Operation | Limit |
| --- | --- |
| Read | 600 requests a minute |
| Write | 120 requests a minute |
| Export | 100 requests an hour |

## Over the limit

The API answers \`429\`. Wait before you retrieve the next page, and try
again later with a growing pause.

## Read large lists

Ask for pages of 250 and follow \`hasMore\` until it is false.

## Next steps

- [Errors](/api-reference/errors)
- [Authentication](/api-reference/authentication)
`,
  },
  {
    path: "api-reference/errors.mdx",
    about: /error|fail|status code|troubleshoot|debug|bug|broken/i,
    text: `---
title: "Errors"
description: "What each status means and what to do about it"
---

The API answers with a conventional status. The body says what occurred.

\`\`\`json
{ "error": "The project does not exist" }
\`\`\`

## Statuses

| Status | Meaning |
| --- | --- |
| 400 | The request is malformed |
| 401 | The key is missing or has expired |
| 404 | There is no such object |
| 429 | Too many requests |

## Retry safely

Repeat reads after a pause. Look before you repeat a write: the first one
may have arrived.

## Next steps

- [Rate limits](/api-reference/rate-limits)
- [Status page](/status)
`,
  },
  {
    path: "self-hosting/install.mdx",
    about: /install|deploy|docker|kubernetes|self.?host|upgrade|backup|server|config/i,
    text: `---
title: "Install on your own servers"
description: "Requirements, installation and upgrades"
---

Run everything in your own network. One machine is enough to begin with.

## Requirements

- Node.js 18 or newer
- 4 CPU cores and 8 GB of memory
- A separate volume for the data
- A domain with a certificate

## Install

\`\`\`bash
docker compose up -d
\`\`\`

Open the address in a browser and create the first account.

## Upgrade

Read the changelog, take a backup, then pull the new images. A restart takes
less than a minute.

## Next steps

- [Back up and restore](/self-hosting/backups)
- [Monitoring](/self-hosting/monitoring)
`,
  },
  {
    path: "quickstart.mdx",
    about: /./,
    text: `---
title: "Quickstart"
description: "From nothing to a first request in five minutes"
---

This guide takes you to a first successful request.

## Before you begin

You need Node.js 18 or newer and a free account.

## Install the client

\`\`\`bash
node --version   # v18 or newer
npm install @acme/client
\`\`\`

## Send a request

\`\`\`ts
const client = createClient({ key: process.env.ACME_KEY })
const projects = await client.projects.list()
\`\`\`

You receive a list with one project.

## Background

The client repeats reads that fail and never repeats writes. It works in
every current runtime.

## Next steps

- [Authentication](/api-reference/authentication)
- [Webhooks](/guides/webhooks)
`,
  },
]
