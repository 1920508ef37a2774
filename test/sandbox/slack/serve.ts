import { type HttpServer, listen } from "../kit/http-server.ts"
import type { Core } from "./core.ts"
import { announceEdit, announceMessage } from "./delivery/message-events.ts"
import { route } from "./server/routes.ts"

/** Starts the server for the bot's calls and sockets, and announces messages to the bot. */
export async function serve(core: Core): Promise<HttpServer> {
  const http = await listen(0, (request, response) => {
    route(core, request, response)
      .then((known) => known || response.writeHead(404).end())
      .catch((error: unknown) => {
        core.violations.push(`the local Slack failed on ${request.url}: ${String(error)}`)
        response.destroy()
      })
  })
  http.server.on("upgrade", (request, socket, head) => {
    core.sockets.handleUpgrade(request, socket, head)
  })
  core.workspace.root.url = http.url
  announceOwnMessages(core)
  return http
}

/** Sends the bot events for its own messages, in channels whose messages it receives. */
function announceOwnMessages(core: Core): void {
  core.workspace.changes.subscribe((change) => {
    if (change.type === "message_posted" && change.message.botId !== undefined) {
      void announceMessage(core, change.message)
    } else if (change.type === "message_edited" && change.message.botId !== undefined) {
      void announceEdit(core, change.message, change.previous)
    }
  })
}
