export interface DocsPage {
  readonly path: string
  readonly about: RegExp
  readonly text: string
}

export const DOCS_PAGES: readonly DocsPage[] = [
  {
    path: "guides/webhooks.mdx",
    about: /webhook|event|callback|signature|deliver/i,
    text: `---
title: "Webhooks"
description: "Get notified of changes as they happen"
---

Webhooks tell your server about a change within seconds. You receive one
request for each event.

## Retries

A delivery counts as successful when your server answers with a 2xx status.
Anything else is retried for 24 hours.

## Next steps

- [Authentication](/api-reference/authentication)
`,
  },
  {
    path: "api-reference/authentication.mdx",
    about: /auth|key|token|login|sign.?in|permission|secret|sso/i,
    text: `---
title: "Authentication"
description: "API keys and what they can do"
---

Every request needs an API key in the \`Authorization\` header.

\`\`\`bash
curl https://api.example.com/v2/projects \\
  -H "Authorization: Bearer $API_KEY"
\`\`\`

## Create a key

Keys belong to a project. Create one on the **API keys** page and copy it
right away; it isn't shown again.

## Scopes

Give each key only the scopes it needs. Use separate keys for
staging and production.

## Next steps

- [Quickstart](/quickstart)
`,
  },
  {
    path: "self-hosting/install.mdx",
    about: /install|deploy|docker|kubernetes|self.?host|upgrade|backup|server|config/i,
    text: `---
title: "Install on your own servers"
description: "Requirements, installation and upgrades"
---

Run everything in your own network. One machine is enough to start with.

## Requirements

- Node.js 18 or newer
- A domain with a certificate

## Install

\`\`\`bash
docker compose up -d
\`\`\`

Open the address in a browser and create the first account.

## Next steps

- [Webhooks](/guides/webhooks)
`,
  },
  {
    path: "quickstart.mdx",
    about: /./,
    text: `---
title: "Quickstart"
description: "From zero to your first request in five minutes"
---

This guide takes you to your first successful request.

## Before you begin

You need Node.js 18 or newer and a free account.

## Install the client

\`\`\`bash
node --version   # v18 or newer
npm install @acme/client
\`\`\`

## Next steps

- [Authentication](/api-reference/authentication)
- [Webhooks](/guides/webhooks)
`,
  },
]
