import { unit } from "../../kit/random.ts"

const FRONT = [
  "/",
  "/quickstart",
  "/api-reference/authentication",
  "/installation",
  "/guides/webhooks",
  "/concepts/projects",
  "/api-reference/rate-limits",
  "/pricing-and-plans",
  "/guides/single-sign-on",
  "/changelog",
  "/llms.txt",
  "/sdks/typescript/getting-started",
]

const TREE: Record<string, [string[], string[]]> = {
  guides: [
    ["roles", "audit-log", "imports", "exports", "search", "notifications", "sandboxes", "billing"],
    ["", "/best-practices"],
  ],
  "api-reference": [
    ["projects", "users", "keys", "webhooks", "events", "files", "exports", "invoices", "teams"],
    ["", "/list", "/create", "/get", "/update", "/delete"],
  ],
  sdks: [
    ["typescript", "python", "go", "java", "ruby"],
    ["", "/errors", "/pagination", "/retries", "/testing"],
  ],
  concepts: [
    ["environments", "permissions", "idempotency", "versioning", "consistency", "regions"],
    ["", "/in-depth"],
  ],
  tutorials: [
    ["first-integration", "sync-a-catalogue", "build-a-dashboard", "migrate-data"],
    ["", "/part-2", "/part-3"],
  ],
  "self-hosting": [
    ["requirements", "docker", "kubernetes", "upgrades", "backups", "monitoring"],
    ["", "/troubleshooting"],
  ],
  integrations: [
    ["chat", "calendar", "data-warehouse", "ci", "issue-tracker", "identity-provider"],
    ["", "/set-up", "/permissions"],
  ],
  changelog: [
    ["2025", "2026"],
    ["/01", "/02", "/03", "/04", "/05", "/06", "/07", "/08", "/09", "/10", "/11", "/12"],
  ],
}

const ODD_FROM_RANK = 12
const ODD_EVERY = 5

/**
 * Returns `count` different paths, most visited first: a fixed beginning, then an order that
 * depends on the seed. Odd paths are spread among the later ones as far as there is room.
 */
export function pagePaths(count: number, seed: number, oddPaths: readonly string[]): string[] {
  const plain = [...FRONT, ...plainPaths(count, seed)]
  const odd = [...oddPaths]
  const paths: string[] = []
  for (let rank = 0; rank < count; rank++) {
    const isOdd = rank >= ODD_FROM_RANK && (rank - ODD_FROM_RANK) % ODD_EVERY === 0
    const path = (isOdd ? odd.shift() : undefined) ?? plain[rank - (oddPaths.length - odd.length)]
    if (path !== undefined) paths.push(path)
  }
  return paths
}

function plainPaths(count: number, seed: number): string[] {
  const current = Object.entries(TREE)
    .flatMap(([section, [topics, leaves]]) =>
      topics.flatMap((topic) => leaves.map((leaf) => `/${section}/${topic}${leaf}`)),
    )
    .map((path, index) => ({ path, order: unit(seed, index) }))
    .sort((a, b) => a.order - b.order)
    .map(({ path }) => path)
  const editions = Math.ceil(count / current.length)
  return Array.from({ length: editions }, (_, edition) =>
    current.map((path) => (edition === 0 ? path : `/v${edition}${path}`)),
  ).flat()
}
