import type { JsonObject } from "../../kit/json.ts"
import { json, type Reply } from "../../kit/reply.ts"
import type { Core } from "../core.ts"
import { agentsSessionsRename, agentsSessionsSetStatus } from "./agents-sessions.ts"
import { missingScope } from "./channels.ts"
import { chatPostEphemeral, chatPostMessage, chatUpdate } from "./chat.ts"
import { conversationsHistory, conversationsInfo, conversationsReplies } from "./conversations.ts"
import { filesCompleteUploadExternal, filesGetUploadUrlExternal, filesInfo } from "./files.ts"
import { appsConnectionsOpen, authTest, usersInfo } from "./identity.ts"
import { ApiError, type Method } from "./method.ts"
import { viewsOpen, viewsPublish } from "./views.ts"

/** One call to the Web API, a response URL (`response_url`) or an upload URL (`upload`). */
export interface WebApiCall {
  /** Time in ms, by the local Slack's clock. */
  readonly at: number
  readonly method: string
  readonly args: JsonObject
  /** Slack's error code, or the name of the injected fault. */
  readonly error: string | undefined
}

/** Runs one Web API call and returns the response; never throws because of the caller. */
export function callMethod(
  core: Core,
  name: string,
  args: JsonObject,
  token: string | undefined,
): Reply {
  const method = methods.get(name)
  const headers = token === core.settings.botToken ? scopeHeaders(core, method?.scopes ?? []) : {}
  try {
    if (method === undefined) {
      core.violations.push(`unknown Web API method ${name}`)
      throw new ApiError("unknown_method", { req_method: name })
    }
    authorize(core, method, token)
    core.rateLimits.spend(name, method.limit)
    return json(200, { ok: true, ...method.run(core, args) }, headers)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusal(error, headers)
  }
}

export function refusal(error: ApiError, headers: Readonly<Record<string, string>> = {}): Reply {
  const { status, code, details } = error
  return json(status, { ok: false, error: code, ...details }, { ...headers, ...error.headers })
}

function scopeHeaders(core: Core, accepted: readonly string[]): Record<string, string> {
  return {
    "x-oauth-scopes": [...core.settings.scopes].join(","),
    "x-accepted-oauth-scopes": accepted.join(","),
  }
}

/**
 * Checks the token and the scopes of a call.
 * @throws ApiError `not_authed`, `invalid_auth`, `token_revoked`, `account_inactive`,
 * `not_allowed_token_type` or `missing_scope`.
 */
function authorize(core: Core, method: Method, token: string | undefined): void {
  if (!token) throw new ApiError("not_authed")
  const { botToken, appToken, tokenState, scopes } = core.settings
  const isBot = token === botToken
  if (!isBot && token !== appToken) throw new ApiError("invalid_auth")
  if (isBot === (method.token === "app")) throw new ApiError("not_allowed_token_type")
  if (isBot && tokenState === "revoked") throw new ApiError("token_revoked")
  if (isBot && tokenState === "inactive") throw new ApiError("account_inactive")
  const wanted = method.scopes ?? []
  if (wanted.length === 0 || wanted.some((scope) => scopes.has(scope))) return
  throw missingScope(core, wanted.join(","))
}

/** Web API methods that the bot and its tools use. A call to any other is a violation. */
const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    "agents.sessions.rename": agentsSessionsRename,
    "agents.sessions.setStatus": agentsSessionsSetStatus,
    "apps.connections.open": appsConnectionsOpen,
    "auth.test": authTest,
    "chat.postEphemeral": chatPostEphemeral,
    "chat.postMessage": chatPostMessage,
    "chat.update": chatUpdate,
    "conversations.history": conversationsHistory,
    "conversations.info": conversationsInfo,
    "conversations.replies": conversationsReplies,
    "files.completeUploadExternal": filesCompleteUploadExternal,
    "files.getUploadURLExternal": filesGetUploadUrlExternal,
    "files.info": filesInfo,
    "users.info": usersInfo,
    "views.open": viewsOpen,
    "views.publish": viewsPublish,
  }),
)
