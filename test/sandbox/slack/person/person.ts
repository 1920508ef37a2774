import type { Core } from "../core.ts"
import { closeModal, openDirectMessage, userOf } from "../workspace/workspace.ts"
import { click, pickGlobalShortcut, pickMessageShortcut, select } from "./act.ts"
import { openHome, openMessages, stopSession } from "./agent.ts"
import { submitModal } from "./modal.ts"
import { runCommand } from "./slash.ts"
import { edit, type PostOptions, speak } from "./speak.ts"
import type { Actor } from "./target.ts"

/** Person in the workspace, who can do only what Slack's own client allows. */
export type Person = ReturnType<typeof createPerson>

/** Returns a person. @throws Error if there is no such person or it is the bot. */
export function createPerson(core: Core, userId: string) {
  const { workspace } = core
  const user = userOf(workspace, userId)
  if (user.role === "bot") throw new Error("You can't act as the bot, which uses the Web API")
  const botName = userOf(workspace, workspace.bot.userId).name
  const own =
    <A extends unknown[], R>(verb: (actor: Actor, ...rest: A) => R) =>
    (...rest: A) =>
      verb({ core, user }, ...rest)
  const post = own(speak)
  return {
    id: user.id,
    slash: own(runCommand),
    post,
    mention: (channel: string, text: string, options: PostOptions = {}) =>
      post(channel, `@${botName} ${text}`, options),
    edit: own(edit),
    directMessage: (text: string, thread?: string) =>
      post(openDirectMessage(workspace, user.id).id, text, { thread }),
    click: own(click),
    select: own(select),
    submitModal: own(submitModal),
    closeModal: () => closeModal(workspace, user.id),
    shortcut: own(pickMessageShortcut),
    globalShortcut: own(pickGlobalShortcut),
    openHome: own(openHome),
    openMessages: own(openMessages),
    stop: own(stopSession),
  }
}
