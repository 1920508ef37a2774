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

const SECTIONS = ["guides", "api-reference", "sdks", "concepts", "tutorials", "integrations"]
const TOPICS = ["roles", "users", "keys", "exports", "events", "files", "invoices", "teams"]
const LEAVES = ["", "/best-practices", "/errors", "/examples"]

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
  const current = SECTIONS.flatMap((section) => TOPICS.map((topic) => `/${section}/${topic}`))
    .flatMap((page) => LEAVES.map((leaf) => page + leaf))
    .map((path, index) => ({ path, order: unit(seed, index) }))
    .sort((a, b) => a.order - b.order)
    .map(({ path }) => path)
  const editions = Math.ceil(count / current.length)
  return Array.from({ length: editions }, (_, edition) =>
    current.map((path) => (edition === 0 ? path : `/v${edition}${path}`)),
  ).flat()
}
