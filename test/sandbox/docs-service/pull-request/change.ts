import type { FileChange } from "../../github/pull.ts"

/** Changes that the local agent has prepared; the first is what a seeded conversation asks for. */
const PREPARED: readonly FileChange[] = [
  {
    path: "quickstart.mdx",
    before: `# Quickstart

You need Node.js 18 or newer and a free account.

\`\`\`bash
node --version   # v18 or newer
npm install @acme/client
\`\`\`
`,
    after: `# Quickstart

You need Node.js 20.19 or newer and a free account.

\`\`\`bash
node --version   # v20.19 or newer
npm install @acme/client
\`\`\`
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

/** Returns the files that the agent changed: one more for each of the first requests. */
export function changeFor(requests: number): readonly FileChange[] {
  const files = PREPARED.slice(0, requests)
  const more = Math.max(0, requests - PREPARED.length)
  // Each further request is a commit of its own, so it has to change something.
  return files.map((file, n) =>
    n === 0 ? { ...file, after: `${file.after}${"\nMore to come.\n".repeat(more)}` } : file,
  )
}
