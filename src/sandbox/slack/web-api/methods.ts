import { chatPostEphemeral } from "./chat-post-ephemeral.ts"
import { chatPostMessage } from "./chat-post-message.ts"
import { chatDelete, chatUpdate } from "./chat-update.ts"
import { conversationsHistory, conversationsReplies } from "./conversation-history.ts"
import { apiTest, authTest, botsInfo, teamInfo } from "./identity.ts"
import type { Method } from "./method.ts"
import { usersInfo, usersList } from "./users.ts"

/** Every Web API method the local Slack knows. A call of any other is a violation. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    "api.test": apiTest,
    "auth.test": authTest,
    "bots.info": botsInfo,
    "chat.delete": chatDelete,
    "chat.postEphemeral": chatPostEphemeral,
    "chat.postMessage": chatPostMessage,
    "chat.update": chatUpdate,
    "conversations.history": conversationsHistory,
    "conversations.replies": conversationsReplies,
    "team.info": teamInfo,
    "users.info": usersInfo,
    "users.list": usersList,
  }),
)
