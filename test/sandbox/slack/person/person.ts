import type { Core } from "../core.ts"
import { closeModal, openDirectMessage, userOf } from "../workspace/workspace.ts"
import { click, pickGlobalShortcut, pickMessageShortcut, select } from "./act.ts"
import { openHome, openMessages, stopSession } from "./agent.ts"
import { submitModal, type Values } from "./modal.ts"
import { runCommand } from "./slash.ts"
import { edit, type PostOptions, speak } from "./speak.ts"
import type { MessageRef, Target, Which } from "./target.ts"

/** Person in the workspace, who can do only what Slack's own client allows. */
export type Person = ReturnType<typeof createPerson>

/** Returns a person. @throws Error if there is no such person or it is the bot. */
export function createPerson(core: Core, userId: string) {
  const user = userOf(core.workspace, userId)
  if (user.role === "bot") throw new Error("You can't act as the bot, which uses the Web API")
  const botName = userOf(core.workspace, core.workspace.bot.userId).name
  return {
    id: user.id,
    /** Types `command` (with its slash) and `text` into a channel. */
    slash: (channel: string, command: string, text = "") =>
      runCommand(core, user, channel, command, text),
    /** Posts; `@name`, `#channel` and web addresses become links as in Slack's composer. */
    post: (channel: string, text: string, options: PostOptions = {}) =>
      speak(core, user, channel, text, options),
    mention: (channel: string, text: string, options: PostOptions = {}) =>
      speak(core, user, channel, `@${botName} ${text}`, options),
    /** Replaces the text of one's own message; `@docs-agent` stays in it only if typed again. */
    edit: (message: MessageRef, text: string) => edit(core, user, message, text),
    directMessage: (text: string, thread?: string) =>
      speak(core, user, openDirectMessage(core.workspace, user.id).id, text, { thread }),
    click: (target: Target, button: string, which: Which = {}) =>
      click(core, user, target, button, which),
    /** Chooses an option in the element with this action id. */
    select: (target: Target, actionId: string, option: string, which: Which = {}) =>
      select(core, user, target, actionId, option, which),
    /** Fills in inputs of the topmost modal, by action or block id, and submits it when it is open. */
    submitModal: (values: Values = {}) => submitModal(core, user, values),
    closeModal: () => closeModal(core.workspace, user.id),
    shortcut: (message: MessageRef, callbackId: string) =>
      pickMessageShortcut(core, user, message, callbackId),
    globalShortcut: (callbackId: string) => pickGlobalShortcut(core, user, callbackId),
    /** Opens the bot's Home tab and waits for the view that the bot publishes. */
    openHome: () => openHome(core, user),
    /** Opens the conversation with the bot, and resolves to its channel. */
    openMessages: () => openMessages(core, user),
    /** Clicks Slack's Stop button in the thread with this root, if this person has one there. */
    stop: (thread: MessageRef) => stopSession(core, user, thread),
  }
}
