import { type JsonObject, stringIn } from "../../kit/json.ts"
import { html, json, type Reply } from "../../kit/reply.ts"
import type { Core } from "../core.ts"
import type { ResponseTarget } from "../delivery/short-lived-ids.ts"
import { deleteMessage, editMessage, postMessage } from "../workspace/messages.ts"
import type { Message } from "../workspace/model.ts"
import { refusal } from "./call.ts"
import { rootOf, showPrivately } from "./chat.ts"
import { checkContent } from "./content.ts"
import { ApiError } from "./method.ts"

const GATEWAY_PAGE = "<!DOCTYPE html><title>Bad request</title>"

/** Handles a POST to a response URL: a new message, or an edit of the clicked one. */
export function answerResponseUrl(core: Core, id: string, args: JsonObject): Reply {
  try {
    respond(core, core.responseUrls.use(id), args)
    return json(200, { ok: true })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Unlike the Web API, a response URL rejects an invalid payload with a status of its own.
    const status = error.status === 200 ? 400 : error.status
    const refused = refusal(new ApiError(error.code, error.details, { status }))
    if (error.code !== "invalid_blocks") return refused
    const { words } = core.settings.refusals
    if (words === "bare_word") return { status, headers: {}, body: "invalid_payload" }
    return words === "odd_body" ? html(200, GATEWAY_PAGE) : refused
  }
}

/** Posts, edits or deletes a message for a response URL or a command's acknowledgement. */
export function respond(core: Core, target: ResponseTarget, args: JsonObject): Message | undefined {
  const original = originalOf(core, target)
  if (args.delete_original === true) {
    if (original !== undefined) deleteMessage(core.workspace, original)
    return undefined
  }
  const inChannel = args.response_type === "in_channel"
  const edited = args.replace_original === true ? original : undefined
  const isPrivate = edited === undefined ? !inChannel : edited.visibleTo !== undefined
  const { text, blocks } = checkContent(core, args, isPrivate)
  core.note({ by: "response_url", message: args })
  if (edited !== undefined) {
    const edit = { text, blocks: blocks ?? [], marked: blocks === undefined }
    return editMessage(core.workspace, edited, edit)
  }
  // "Then, to specify the thread, include a `thread_ts`": without one, the message goes to the
  // channel, even after a click in a thread.
  const asked = stringIn(args, "thread_ts")
  const threadTs = asked ? rootOf(core, target.channel, asked) : undefined
  const { userId: user, botId } = core.workspace.bot
  const draft = { channel: target.channel, user, botId, threadTs, text, blocks }
  // No check of membership: a response URL may post where the bot isn't a member.
  return inChannel ? postMessage(core.workspace, draft) : showPrivately(core, target.user, draft)
}

function originalOf(core: Core, target: ResponseTarget): Message | undefined {
  if (target.message === undefined) return undefined
  const { ts, ephemeral } = target.message
  const { ephemerals, messages } = core.workspace
  return ephemeral ? ephemerals.get(target.user)?.get(ts) : messages.get(target.channel)?.get(ts)
}
