import { gitHubWeb } from "../config/config.ts"
import type { Pull } from "./job.ts"
export type PullRef = Pick<Pull, "owner" | "repo" | "number">

const PULL = /^\/([\w.-]+)\/([\w.-]+)\/pull\/(\d{1,9})(?:\/|$)/i

/** Returns the pull request that a link leads to, if on this GitHub. Ignores case and suffixes. */
export function pullRefOf(link: string, apiUrl: string): PullRef | undefined {
  if (!URL.canParse(link)) return undefined
  const { host, pathname, protocol } = new URL(link)
  const base = gitHubWeb(apiUrl)
  if (!/^https?:$/.test(protocol) || host !== base.host) return undefined
  if (!pathname.toLowerCase().startsWith(`${base.path.toLowerCase()}/`)) return undefined
  const [, owner, repo, number] = PULL.exec(pathname.slice(base.path.length)) ?? []
  return owner && repo && number ? { owner, repo, number: Number(number) } : undefined
}
