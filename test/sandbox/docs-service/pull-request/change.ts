import type { FileChange } from "../../github/pull.ts"

/** Changes that the local agent has prepared, in the order of the requests that push them. */
const PREPARED: readonly FileChange[] = [
  {
    path: "quickstart.mdx",
    before: `# Quickstart

You need Node.js 18 or newer and a free account.
`,
    after: `# Quickstart

You need Node.js 20.19 or newer and a free account.
`,
  },
  {
    path: "guides/webhooks.mdx",
    before: `# Webhooks

Anything but a 2xx status is retried.
`,
    after: `# Webhooks

Anything but a 2xx status is retried for 24 hours. The header
\`Acme-Attempt\` counts the attempts.
`,
  },
  {
    path: "self-hosting/install.mdx",
    before: `# Install on your own servers

- Node.js 18 or newer
- A domain with a certificate
`,
    after: `# Install on your own servers

- Node.js 20.19 or newer
- A domain with a certificate
`,
  },
]

/**
 * Returns the files that the agent changed for these requests: one more for each of the first three,
 * and another line for each further one. The first file has the path that the first request names.
 */
export function changeFor(prompts: readonly string[]): readonly FileChange[] {
  const named = /[\w/-]+\.mdx?\b/.exec(prompts[0] ?? "")?.[0]
  const more = "More to come.\n".repeat(Math.max(0, prompts.length - PREPARED.length))
  return PREPARED.slice(0, prompts.length).map((file, n) =>
    n === 0 ? { ...file, path: named ?? file.path, after: file.after + more } : file,
  )
}
