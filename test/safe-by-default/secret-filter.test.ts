import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { escapeText } from "../../src/lib/plain-text.ts"
import { createSecretFilter } from "../../src/lib/secrets.ts"
import { hostileText } from "../helpers/hostile.ts"
import { holds } from "../helpers/property.ts"

/** Generates credentials that the configuration accepts: printable, without spaces. */
const credential = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 60,
})

/** Encodings of text in a response, with the document that defines each. */
const ENCODINGS: Record<string, (text: string) => string> = {
  "as it is": (text) => text,
  "JSON (RFC 8259, 7)": (text) => JSON.stringify(text).slice(1, -1),
  "JSON with every slash escaped": (text) =>
    JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "a URL (RFC 3986, 2.1)": encodeURIComponent,
  "Slack's text in JSON": (text) => JSON.stringify(escapeText(text)).slice(1, -1),
  "a form (URL standard, 5.1)": (text) => new URLSearchParams({ t: text }).toString().slice(2),
}

const around = fc.string({
  unit: fc.constantFrom(...Array.from("abc /:?=&;%\\\"'<")),
  maxLength: 12,
})

describe("a secret is found in foreign text, and nothing of the text shows it afterwards", () => {
  test.each(Object.entries(ENCODINGS))("written for %s", async (_, encode) => {
    await holds(
      fc.property(credential, around, around, (secret, before, behind) => {
        const filter = createSecretFilter([secret])
        const text = encode(before + secret + behind)
        expect(filter.holds(text)).toBe(true)
        const cleaned = filter.clean(text)
        expect(cleaned).toContain("[secret]")
        expect(cleaned.toLowerCase()).not.toContain(encode(secret).toLowerCase())
        expect(filter.holds(cleaned)).toBe(false)
      }),
      100,
    )
  })

  test("in capitals, as a host of an address would be compared", () => {
    expect(createSecretFilter(["svc_0a1B2c3"]).holds("https://SVC_0A1b2C3.example/")).toBe(true)
  })

  test("of several, each is found", () => {
    const filter = createSecretFilter(["first-secret", "second-secret"])
    expect(filter.clean("a first-secret, a second-secret")).toBe("a [secret], a [secret]")
  })

  test("a secret that is not ASCII is found, as a password of Redis may be", () => {
    const filter = createSecretFilter(["schlüssel"])
    for (const text of ["schlüssel", encodeURIComponent("schlüssel"), "SCHL%C3%BCSSEL"])
      expect(filter.holds(text)).toBe(true)
  })
})

describe("in what people write", () => {
  test("a secret is found as Slack escapes it", () => {
    const filter = createSecretFilter(["svc_a&b<c12345"])
    expect(filter.cleanWritten("document svc_a&amp;b&lt;c12345")).toBe("document [secret]")
  })

  test("a password that is a word stays a word, and is still kept out of what others answer", () => {
    const filter = createSecretFilter(["password", "svc_51f0c2aa97"])
    expect(filter.cleanWritten("reset a Password svc_51f0c2aa97")).toBe("reset a Password [secret]")
    expect(filter.clean("redis://:password@redis")).toBe("redis://:[secret]@redis")
  })
})

describe("what is no secret stays as it is", () => {
  test("whatever stands in it", async () => {
    const filter = createSecretFilter(["svc_51f0c2aa97", "xoxb-1-2-three"])
    await holds(
      fc.property(hostileText, (text) => {
        expect(filter.clean(text)).toBe(text)
      }),
      100,
    )
  })

  test("text stays as it is where a password is a common short word", () => {
    expect(createSecretFilter(["docs"]).clean("https://git.example/docs")).toContain("/docs")
  })
})
