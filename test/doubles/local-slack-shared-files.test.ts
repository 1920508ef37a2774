import type { WebClient } from "@slack/web-api"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientOf, refusal } from "../helpers/slack-client.ts"
import { isObject, type JsonObject, objectsIn, stringIn } from "../sandbox/kit/json.ts"
import { type LocalSlack, startLocalSlack } from "../sandbox/slack/local-slack.ts"
import { DEFAULT_SCOPES } from "../sandbox/slack/options.ts"
import type { SharedFile } from "../sandbox/slack/person/speak.ts"
import { ADA, DOCS } from "../sandbox/slack/seed/ids.ts"

const botToken = "xoxb-local"
let slack: LocalSlack
let client: WebClient

beforeEach(async () => {
  slack = await startLocalSlack({ signingSecret: "s", botToken, mode: "http" })
  slack.setScopes([...DEFAULT_SCOPES, "files:read"])
  client = clientOf(slack, botToken)
})
afterEach(() => slack.close())

/** The file as the event of a mention shows it. */
async function share(file: SharedFile): Promise<JsonObject> {
  await slack.as(ADA).mention(DOCS, "read this", { files: [file] })
  const { event } = slack.deliveries.at(-1)?.delivery.payload ?? {}
  const [shown = {}] = isObject(event) ? objectsIn(event.files) : []
  return shown
}

function idOf(file: JsonObject): string {
  return stringIn(file, "id") ?? ""
}

async function download(file: JsonObject, token: string | undefined = botToken) {
  const headers = { authorization: `Bearer ${token}` }
  const url = stringIn(file, "url_private_download") ?? ""
  const response = await fetch(url, { headers, redirect: "manual" })
  return { status: response.status, text: await response.text() }
}

describe("a file", () => {
  it("tells its type, size and addresses, and is downloaded with the token", async () => {
    const file = await share({ name: "notes.md", content: "# Hi\n" })
    expect(file).toMatchObject({ mimetype: "text/markdown", size: 5, mode: "hosted" })
    expect(await download(file)).toEqual({ status: 200, text: "# Hi\n" })
    expect(slack.calls.at(-1)).toMatchObject({ method: "download", args: { bytes: 5 } })
  })

  it('"requires a bearer token with the appropriate scope": anybody else gets to sign in', async () => {
    const file = await share({ name: "notes.md", content: "# Hi\n" })
    expect((await download(file, "xoxb-other")).status).toBe(302)
    slack.setScopes(DEFAULT_SCOPES)
    expect((await download(file)).status).toBe(302)
    expect(await refusal(client.files.info({ file: idOf(file) }))).toBe("missing_scope")
    const followed = await fetch(stringIn(file, "url_private") ?? "", { redirect: "follow" })
    expect(followed.status).toBe(200)
    expect(followed.headers.get("content-type")).toBe("text/html")
  })

  it("leaves a tombstone when it is deleted", async () => {
    const file = await share({ name: "notes.md", content: "# Hi\n" })
    slack.deleteFile(idOf(file))
    const { messages } = await client.conversations.history({ channel: DOCS })
    expect(messages?.[0]?.files).toEqual([{ id: file.id, mode: "tombstone" }])
    expect((await download(file)).status).toBe(302)
    expect(await refusal(client.files.info({ file: idOf(file) }))).toBe("file_deleted")
  })
})
