import type { Core } from "../core.ts"
import type { Acknowledgement } from "../delivery/delivery.ts"
import type { Filling } from "../interaction/element-state.ts"
import type { View } from "../workspace/model.ts"
import { openDirectMessage, userOf } from "../workspace/workspace.ts"
import { type ClickOptions, click, select } from "./act.ts"
import { openMessages, requireAccess, stopSession } from "./agent.ts"
import { openHome } from "./home.ts"
import { closeModal, fillModal, type Submission, submitModal, type Values } from "./modal.ts"
import { pickGlobalShortcut, pickMessageShortcut } from "./shortcuts.ts"
import { type CommandResult, runCommand } from "./slash.ts"
import { type Posted, type PostOptions, speak } from "./speak.ts"
import type { MessageRef, Target } from "./target.ts"

/** Someone in the workspace, doing only what Slack's own client would let them do. */
export interface Person {
  readonly id: string
  /** Types `command` (with its slash) and `text` into a channel. */
  slash(channel: string, command: string, text?: string): Promise<CommandResult>
  /** Posts; `@name`, `#channel` and web addresses become links as in Slack's composer. */
  post(channel: string, text: string, options?: PostOptions): Promise<Posted>
  /** Posts with a mention of the bot before the text. */
  mention(channel: string, text: string, options?: PostOptions): Promise<Posted>
  /** Writes to the bot alone. */
  directMessage(text: string, thread?: string): Promise<Posted>
  /** Clicks the button with this action id or text. */
  click(target: Target, button: string, options?: ClickOptions): Promise<Acknowledgement>
  /** Chooses an option, date, person … in the element with this action id. */
  select(
    target: Target,
    actionId: string,
    option: Filling,
    index?: number,
  ): Promise<Acknowledgement>
  /** Fills in inputs of the topmost modal, by action or block id. */
  fill(values: Values): void
  /** Fills in and submits the topmost modal. */
  submitModal(values?: Values): Promise<Submission>
  closeModal(): Promise<void>
  /** A message shortcut. */
  shortcut(message: MessageRef, callbackId: string): Promise<Acknowledgement>
  globalShortcut(callbackId: string): Promise<Acknowledgement>
  /** Opens the bot's Home tab and waits for what the bot publishes. */
  openHome(): Promise<View>
  /**
   * Opens the app's Messages tab; resolves with the bot's answer to `app_home_opened`, undefined if the
   * app does not subscribe to it.
   */
  openMessages(): Promise<Acknowledgement | undefined>
  /** Clicks Slack's Stop button in the thread with this root, if this person has one there. */
  stop(thread: MessageRef): Promise<Acknowledgement>
}

/** @throws Error, if there is no such person or it is the bot. */
export function createPerson(core: Core, userId: string): Person {
  const user = userOf(core.workspace, userId)
  if (user.role === "bot") throw new Error("The bot acts for itself, through the Web API")
  const botName = userOf(core.workspace, core.workspace.bot.userId).name
  return {
    id: user.id,
    slash: (channel, command, text = "") => runCommand(core, user, channel, command, text),
    post: (channel, text, options = {}) => speak(core, user, channel, text, options),
    mention: (channel, text, options = {}) => {
      return speak(core, user, channel, `@${botName} ${text}`, options)
    },
    directMessage: (text, thread) => {
      return speak(core, user, openDirectMessage(core.workspace, user.id).id, text, { thread })
    },
    click: (target, button, options = {}) => click(core, user, target, button, options),
    select: (target, action, option, index) => select(core, user, target, action, option, index),
    fill: (values) => fillModal(core, user, values),
    submitModal: (values = {}) => submitModal(core, user, values),
    closeModal: () => closeModal(core, user),
    shortcut: (message, callbackId) => pickMessageShortcut(core, user, message, callbackId),
    globalShortcut: (callbackId) => pickGlobalShortcut(core, user, callbackId),
    openHome: async () => {
      requireAccess(core, user)
      return await openHome(core, user)
    },
    openMessages: () => openMessages(core, user),
    stop: (thread) => stopSession(core, user, thread),
  }
}
