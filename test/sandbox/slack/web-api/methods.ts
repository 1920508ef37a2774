import { agentsSessionsRename, agentsSessionsSetStatus } from "./agents-sessions.ts"
import { appsConnectionsOpen } from "./apps-connections-open.ts"
import { assistantThreadsSetStatus } from "./assistant.ts"
import { blocksValidate } from "./blocks-validate.ts"
import { chatPostEphemeral } from "./chat-post-ephemeral.ts"
import { chatPostMessage } from "./chat-post-message.ts"
import { chatDelete, chatUpdate } from "./chat-update.ts"
import { conversationsHistory, conversationsReplies } from "./conversation-history.ts"
import {
  conversationsInfo,
  conversationsList,
  conversationsMembers,
  conversationsOpen,
  usersConversations,
} from "./conversations.ts"
import { filesCompleteUploadExternal, filesGetUploadUrlExternal, filesInfo } from "./files.ts"
import { apiTest, authTest, botsInfo, teamInfo } from "./identity.ts"
import type { Method } from "./method.ts"
import { assistantThreadsSetSuggestedPrompts } from "./suggested-prompts.ts"
import { usersInfo, usersList } from "./users.ts"
import { viewsOpen, viewsPublish, viewsPush, viewsUpdate } from "./views.ts"

/** Every Web API method the local Slack knows. A call of any other is a violation. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    "agents.sessions.rename": agentsSessionsRename,
    "agents.sessions.setStatus": agentsSessionsSetStatus,
    "api.test": apiTest,
    "apps.connections.open": appsConnectionsOpen,
    "assistant.threads.setStatus": assistantThreadsSetStatus,
    "assistant.threads.setSuggestedPrompts": assistantThreadsSetSuggestedPrompts,
    "auth.test": authTest,
    "blocks.validate": blocksValidate,
    "bots.info": botsInfo,
    "chat.delete": chatDelete,
    "chat.postEphemeral": chatPostEphemeral,
    "chat.postMessage": chatPostMessage,
    "chat.update": chatUpdate,
    "conversations.history": conversationsHistory,
    "conversations.info": conversationsInfo,
    "conversations.list": conversationsList,
    "conversations.members": conversationsMembers,
    "conversations.open": conversationsOpen,
    "conversations.replies": conversationsReplies,
    "files.completeUploadExternal": filesCompleteUploadExternal,
    "files.getUploadURLExternal": filesGetUploadUrlExternal,
    "files.info": filesInfo,
    "team.info": teamInfo,
    "users.conversations": usersConversations,
    "users.info": usersInfo,
    "users.list": usersList,
    "views.open": viewsOpen,
    "views.publish": viewsPublish,
    "views.push": viewsPush,
    "views.update": viewsUpdate,
  }),
)
