import { isObject, type Json, type JsonObject } from "../../kit/json.ts"
import type { Core } from "../core.ts"
import { dispatch, payloadChannelName, VERIFICATION_TOKEN } from "../delivery/delivery.ts"
import type { ResponseTarget } from "../delivery/short-lived-ids.ts"
import { SLACKBOT } from "../seed/people.ts"
import { ApiError } from "../web-api/method.ts"
import { respond } from "../web-api/response-url.ts"
import { showEphemeral } from "../workspace/messages.ts"
import type { Channel, Message } from "../workspace/model.ts"
import { channelOf } from "../workspace/workspace.ts"
import { escapeTyped } from "./compose.ts"
import { requireSpeaker } from "./speak.ts"
import type { Actor } from "./target.ts"

/**
 * Types `command` (with its slash) and `text` into a channel: like Slack, this supports no commands
 * in threads. Resolves also to the form fields as sent, so that a test can deliver the same command
 * again, and to the message shown immediately: the response in the acknowledgement, or Slack's own
 * `error`.
 */
export async function runCommand(actor: Actor, channelId: string, command: string, text = "") {
  const { core, user } = actor
  const channel = channelOf(core.workspace, channelId)
  requireSpeaker(user, channel)
  const payload = commandPayload(actor, channel, command, text)
  const answer = await dispatch(core, { kind: "slash_commands", payload })
  const target = { channel: channel.id, user: user.id, message: undefined }
  if (!answer.ok) {
    const error = answer.failure === "http_timeout" ? "operation_timeout" : "dispatch_failed"
    return { ...answer, payload, error, shown: showError(core, target, command, error) }
  }
  return { ...answer, payload, error: undefined, shown: showAnswer(core, target, answer.body) }
}

function commandPayload(
  { core, user }: Actor,
  channel: Channel,
  command: string,
  text: string,
): JsonObject {
  const { team, bot } = core.workspace
  const target = { channel: channel.id, user: user.id, message: undefined }
  return {
    token: VERIFICATION_TOKEN,
    team_id: user.teamId,
    team_domain: team.domain,
    channel_id: channel.id,
    channel_name: payloadChannelName(channel),
    user_id: user.id,
    user_name: user.name,
    command,
    // As typed: the manifest leaves "Escape channels, users, and links sent to your app" off.
    text: escapeTyped(text.trim()),
    api_app_id: bot.appId,
    is_enterprise_install: "false",
    response_url: core.responseUrls.create(target),
    trigger_id: core.triggers.create(user.id),
  }
}

/** Shows the text or blocks of an acknowledgement, privately unless it says `in_channel`. */
function showAnswer(core: Core, target: ResponseTarget, body: Json | undefined) {
  const args = isObject(body) ? body : { text: body ?? "" }
  if (!args.text && !args.blocks) return undefined
  try {
    return respond(core, target, { ...args, replace_original: false, delete_original: false })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    core.violations.push(`the answer to a command is refused by Slack: ${error.code}`)
    return undefined
  }
}

function showError(core: Core, target: ResponseTarget, command: string, error: string): Message {
  const text = `${command} failed with the error "${error}"`
  return showEphemeral(core.workspace, target.user, {
    channel: target.channel,
    user: SLACKBOT,
    text,
  })
}
