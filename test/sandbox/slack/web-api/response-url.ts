import type { Core } from "../core.ts"
import type { ResponseTarget } from "../delivery/response-urls.ts"
import { messageViolations } from "../house-rules.ts"
import { type JsonObject, stringIn } from "../json.ts"
import { deleteMessage, editMessage, postMessage, showEphemeral } from "../workspace/messages.ts"
import type { Message } from "../workspace/model.ts"
import { ApiError } from "./api-error.ts"
import { type Answer, refusal } from "./call.ts"
import { checkContent } from "./content.ts"

/** What a POST to a response URL does: a new message, or a change of the one that was clicked. */
export function answerResponseUrl(core: Core, id: string, args: JsonObject): Answer {
  try {
    respond(core, core.responseUrls.use(id), args)
    return { status: 200, headers: {}, body: { ok: true } }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Unlike the Web API, a response URL refuses a bad payload with a status of its own.
    const status = error.status === 200 ? 400 : error.status
    return refusal(new ApiError(error.code, error.details, { status }))
  }
}

/** Also the way a command's acknowledgement becomes a message. */
export function respond(core: Core, target: ResponseTarget, args: JsonObject): Message | undefined {
  const original = originalOf(core, target)
  if (args.delete_original === true) {
    if (original !== undefined) deleteMessage(core.workspace, original)
    return undefined
  }
  const { text, blocks } = checkContent(core, args)
  for (const violation of messageViolations(args)) core.violations.add(`response_url: ${violation}`)
  if (args.replace_original === true && original !== undefined) {
    const edit = { text, blocks: blocks ?? [], marked: blocks === undefined }
    return editMessage(core.workspace, original, edit)
  }
  const threadTs = stringIn(args, "thread_ts") ?? target.threadTs
  const { userId: user, botId } = core.workspace.bot
  const draft = { channel: target.channel, user, botId, threadTs, text, blocks }
  // Bypasses membership: a response URL may post where the bot is not.
  if (args.response_type === "in_channel") return postMessage(core.workspace, draft)
  return showEphemeral(core.workspace, target.user, draft)
}

function originalOf(core: Core, target: ResponseTarget): Message | undefined {
  if (target.message === undefined) return undefined
  const { ts, ephemeral } = target.message
  const { ephemerals, messages } = core.workspace
  return ephemeral ? ephemerals.get(target.user)?.get(ts) : messages.get(target.channel)?.get(ts)
}
