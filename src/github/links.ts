import { gitHubWeb } from "../config/config.ts"
import type { PullRef } from "../ports/github.ts"

const PULL = /^\/([\w.-]+)\/([\w.-]+)\/pull\/(\d{1,9})(?:\/|$)/i

/** The pull request that a link leads to, if it is one of that GitHub's. Case and suffixes do not matter. */
export function pullRefOf(link: string | undefined, apiUrl: string): PullRef | undefined {
  if (!link || !URL.canParse(link)) return undefined
  const { host, pathname, protocol } = new URL(link)
  const base = gitHubWeb(apiUrl)
  if (!/^https?:$/.test(protocol) || host !== base.host) return undefined
  if (!pathname.toLowerCase().startsWith(`${base.path.toLowerCase()}/`)) return undefined
  const [, owner, repo, number] = PULL.exec(pathname.slice(base.path.length)) ?? []
  return owner && repo && number ? { owner, repo, number: Number(number) } : undefined
}
