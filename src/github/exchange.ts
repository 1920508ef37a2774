import { request } from "@octokit/request"
import { z } from "zod"
import type { Secret } from "../config/secret.ts"

export interface GitHubOptions {
  token: Secret
  /** Base of the REST API, without a slash at its end; GitHub Enterprise has a path. */
  apiUrl: string
  /** One request, ms. */
  timeoutMs: number
}

export interface GitHubAnswer {
  status: number
  headers: Readonly<Record<string, string | undefined>>
  data: unknown
}

/** "GitHub redirects API requests where appropriate"; more than a few in a row lead nowhere. */
const MOST_REDIRECTS = 3
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308])
const NO_LOG = { debug() {}, info() {}, warn() {}, error() {} }

/** What a request that was answered has on its error. */
const answered = z.object({
  status: z.number(),
  response: z.object({
    headers: z.record(z.string(), z.union([z.string(), z.number()]).optional()),
    data: z.unknown(),
  }),
})

/** One GET through GitHub's own client; `undefined` where no answer came. Redirects stay at the API. */
export async function ask(
  { token, apiUrl, timeoutMs }: GitHubOptions,
  path: string,
  tag?: string,
): Promise<GitHubAnswer | undefined> {
  let url = `${apiUrl}${path}`
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const answer = await once(url, token, timeoutMs, tag)
    if (!answer || !REDIRECTS.has(answer.status)) return answer
    const next = follow(url, answer.headers.location, apiUrl)
    if (!next) return undefined
    url = next
  }
  return undefined
}

async function once(
  url: string,
  token: Secret,
  timeoutMs: number,
  tag: string | undefined,
): Promise<GitHubAnswer | undefined> {
  try {
    const answer = await request(`GET ${url}`, {
      headers: {
        authorization: `Bearer ${token.reveal()}`,
        "user-agent": "docs-agent-bot",
        "x-github-api-version": "2022-11-28",
        ...(tag ? { "if-none-match": tag } : {}),
      },
      request: { redirect: "manual", signal: AbortSignal.timeout(timeoutMs), log: NO_LOG },
    })
    return { status: answer.status, headers: texts(answer.headers), data: answer.data }
  } catch (error) {
    const { success, data } = answered.safeParse(error)
    if (!success) return undefined
    return { status: data.status, headers: texts(data.response.headers), data: data.response.data }
  }
}

/** The token goes nowhere but to the API it is for. */
function follow(from: string, location: string | undefined, apiUrl: string): string | undefined {
  if (!location || !URL.canParse(location, from)) return undefined
  const { href } = new URL(location, from)
  const isAtApi = href.startsWith(`${apiUrl}/`)
  return isAtApi ? href : undefined
}

function texts(headers: Readonly<Record<string, string | number | undefined>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === undefined ? value : `${value}`,
    ]),
  )
}
