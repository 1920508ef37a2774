/** A page of the documentation that the agent pretends to edit. */
export interface DocsPage {
  readonly path: string
  /** Words of a prompt that point at this page. */
  readonly about: RegExp
  readonly text: string
}

/** Misspellings that the pages below contain, for prompts that ask to have them fixed. */
export const MISSPELLINGS: Readonly<Record<string, string>> = {
  recieve: "receive",
  seperate: "separate",
  occured: "occurred",
  sucessful: "successful",
  retreive: "retrieve",
  neccessary: "necessary",
}

export const DOCS_PAGES: readonly DocsPage[] = [
  {
    path: "guides/webhooks.mdx",
    about: /webhook|event|callback|signature|deliver/i,
    text: `---
title: "Webhooks"
description: "Hear about changes as they happen"
---

Webhooks tell your server about a change within seconds. You recieve one
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

A delivery counts as sucessful when your server answers with a 2xx status.
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

Give each key only the scopes that are neccessary. Use seperate keys for
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

The API answers \`429\`. Wait before you retreive the next page, and try
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

The API answers with a conventional status. The body says what occured.

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

- 4 CPU cores and 8 GB of memory
- A seperate volume for the data
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

This guide takes you to a first sucessful request.

## Before you begin

You need an account and a project. Both are free to try.

## Install the client

\`\`\`bash
npm install @acme/client
\`\`\`

## Send a request

\`\`\`ts
const client = createClient({ key: process.env.ACME_KEY })
const projects = await client.projects.list()
\`\`\`

You recieve a list with one project.

## Background

The client repeats reads that fail and never repeats writes. It works in
every current runtime.

## Next steps

- [Authentication](/api-reference/authentication)
- [Webhooks](/guides/webhooks)
`,
  },
]
