import type { IncomingMessage } from "node:http"
import { buffer } from "node:stream/consumers"
import { missingPage } from "../../html/layout.ts"
import { html, type Reply } from "../../kit/reply.ts"
import { obstacle, type PullAction, pullActionSchema } from "../pull.ts"
import type { State } from "../state.ts"
import { pullPage } from "./pull-page.ts"

/** Serves `/{owner}/{repository}/pull/{n}` and the actions of people there. */
export async function answerPage(state: State, request: IncomingMessage, url: URL): Promise<Reply> {
  const place = placeOf(url.pathname)
  const repository = place && state.repositories.byName(place.repository)
  const pull = repository?.pulls.get(place?.number ?? 0)
  if (!repository || !pull) return html(404, missingPage(url.pathname))
  if (request.method !== "POST") return page(200, pullPage(pull))
  if (!isFromHere(request, state)) return html(403, missingPage(url.pathname))
  const action = readAction(String(await buffer(request)))
  if (!action || obstacle(pull, action) !== undefined) return page(409, pullPage(pull))
  state.repositories.act(repository.name, pull.number, action)
  return { status: 303, headers: { location: encodeURI(url.pathname) }, body: "" }
}

interface Place {
  readonly repository: string
  readonly number: number
}

function placeOf(pathname: string): Place | undefined {
  let path: string
  try {
    path = decodeURIComponent(pathname)
  } catch {
    return undefined
  }
  const [, repository = "", number] = /^\/(.+?)\/pull\/(\d{1,9})$/.exec(path) ?? []
  return number === undefined ? undefined : { repository, number: Number(number) }
}

/** Returns whether the form is on this page, not on another site open in the browser. */
function isFromHere({ headers }: IncomingMessage, state: State): boolean {
  return headers.origin === undefined || headers.origin === state.origin()
}

function readAction(form: string): PullAction | undefined {
  const parsed = pullActionSchema.safeParse(Object.fromEntries(new URLSearchParams(form)))
  return parsed.success ? parsed.data : undefined
}

/** Returns the page with a policy that lets its forms post only to this site. */
function page(status: number, body: string): Reply {
  const reply = html(status, body)
  const policy = `${reply.headers["content-security-policy"]}; form-action 'self'`
  return { ...reply, headers: { ...reply.headers, "content-security-policy": policy } }
}
