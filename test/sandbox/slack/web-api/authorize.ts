import type { Core } from "../core.ts"
import { ApiError } from "./api-error.ts"
import type { Method } from "./method.ts"

/**
 * Checks the token and the scopes of a call.
 * @throws ApiError `not_authed`, `invalid_auth`, `token_revoked`, `account_inactive`,
 * `not_allowed_token_type` or `missing_scope`.
 */
export function authorize(core: Core, method: Method, token: string | undefined): void {
  if (!token) throw new ApiError("not_authed")
  const { botToken, appToken, tokenState, scopes } = core.settings
  const isBot = token === botToken
  if (!isBot && token !== appToken) throw new ApiError("invalid_auth")
  if (isBot !== (method.token === "bot")) throw new ApiError("not_allowed_token_type")
  if (isBot && tokenState === "revoked") throw new ApiError("token_revoked")
  if (isBot && tokenState === "inactive") throw new ApiError("account_inactive")
  if (method.scopes.length === 0 || method.scopes.some((scope) => scopes.has(scope))) return
  throw new ApiError("missing_scope", {
    needed: method.scopes.join(","),
    provided: [...scopes].join(","),
  })
}
