import { agentsSessionsRename, agentsSessionsSetStatus } from "./agents-sessions.ts"
import { blocksValidate } from "./blocks-validate.ts"
import { chatPostEphemeral } from "./chat-post-ephemeral.ts"
import { chatPostMessage } from "./chat-post-message.ts"
import { chatUpdate } from "./chat-update.ts"
import { conversationsHistory, conversationsReplies } from "./conversation-history.ts"
import { conversationsInfo } from "./conversations-info.ts"
import { filesCompleteUploadExternal, filesGetUploadUrlExternal, filesInfo } from "./files.ts"
import { appsConnectionsOpen, authTest } from "./identity.ts"
import type { Method } from "./method.ts"
import { usersInfo } from "./users.ts"
import { viewsOpen, viewsPublish } from "./views.ts"

/** Web API methods that the bot and its tools use. A call to any other is a violation. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    "agents.sessions.rename": agentsSessionsRename,
    "agents.sessions.setStatus": agentsSessionsSetStatus,
    "apps.connections.open": appsConnectionsOpen,
    "auth.test": authTest,
    "blocks.validate": blocksValidate,
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
