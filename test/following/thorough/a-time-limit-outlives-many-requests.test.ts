import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { expect, test } from "vitest"
import { createHttpClient } from "../../../src/lib/http-client.ts"
import { startRawService } from "../../helpers/raw-service.ts"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

test("a request without an answer ends in time, even after a thousand others", async () => {
  await using service = await startRawService()
  const client = createHttpClient(300)
  // V8 optimizes the code after some hundred calls, and then keeps only what is still used.
  for (let call = 0; call < 1000; call += 1) await client.send(service.url)
  service.answer = (_, response) => void response.write("no end")
  const collecting = setInterval(collectGarbage, 10)
  const unended = Array.from({ length: 10 }, () => client.send(service.url))
  const endings = await Promise.allSettled(unended).finally(() => clearInterval(collecting))
  expect(endings.map(({ status }) => status)).toEqual(Array(10).fill("rejected"))
})
