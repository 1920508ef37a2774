import fc from "fast-check"
import { expect, test } from "vitest"
import { hostileText } from "../../helpers/hostile.ts"
import { holds } from "../../helpers/property.ts"
import { withState } from "../../sandbox/workspace/http/front-page.ts"

const DOCUMENT = `<body>
  <script type="application/json" id="first-state"></script>
  <p>after</p>
</body>`

/** What stands in the element, as a browser finds its end: at the first `</script`. */
function inElement(document: string): string {
  return /id="first-state">([\s\S]*?)<\/script/i.exec(document)?.[1] ?? ""
}

test.each([
  "</script><script>alert(1)</script>",
  "</SCRIPT >",
  "<!-- <script>",
  "]]> & &lt; \u2028 \u2029 \\u003c",
  "$& $1 $` $'",
])("%j comes through, and stays inside its element", (text) => {
  const document = withState(DOCUMENT, { text })
  expect(inElement(document)).not.toContain("<")
  expect(JSON.parse(inElement(document))).toEqual({ text })
  expect(document.endsWith("</script>\n  <p>after</p>\n</body>")).toBe(true)
})

test("so does any text", async () => {
  await holds(
    fc.property(hostileText, (text) => {
      const element = inElement(withState(DOCUMENT, { text }))
      expect(element).not.toContain("<")
      expect(JSON.parse(element)).toEqual({ text })
    }),
  )
})

test("a document without the element, or with two, is refused with what to do", () => {
  expect(() => withState("<body></body>", {})).toThrow("start the sandbox again")
  expect(() => withState(DOCUMENT + DOCUMENT, {})).toThrow("start the sandbox again")
})
