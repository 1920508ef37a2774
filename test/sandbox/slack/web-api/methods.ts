import { agentsSessionsRename, agentsSessionsSetStatus } from "./agents-sessions.ts"
import { blocksValidate } from "./blocks-validate.ts"
import { chatPostEphemeral, chatPostMessage, chatUpdate } from "./chat.ts"
import { conversationsHistory, conversationsInfo, conversationsReplies } from "./conversations.ts"
import { filesCompleteUploadExternal, filesGetUploadUrlExternal, filesInfo } from "./files.ts"
import { appsConnectionsOpen, authTest, usersInfo } from "./identity.ts"
import type { Method } from "./method.ts"
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
