import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createSecretFilter } from "../../src/text/secret-filter.ts"
import { hostileText } from "../helpers/hostile.ts"
import { holds } from "../helpers/property.ts"

/** A credential as the configuration takes it: printable, without blanks. */
const credential = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 60,
})

const each = (text: string, write: (code: number) => string) =>
  Array.from(text, (character) => write(character.charCodeAt(0))).join("")
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0")
const html = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Ways in which an answer may write a text, with the document that has them. */
const ENCODINGS: Record<string, (text: string) => string> = {
  "as it is": (text) => text,
  "JSON (RFC 8259, 7)": (text) => JSON.stringify(text).slice(1, -1),
  "JSON with every slash escaped": (text) =>
    JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "JSON by code points": (text) => each(text, (code) => `\\u${hex(code, 4)}`),
  "a URL (RFC 3986, 2.1)": encodeURIComponent,
  "a URL, every octet": (text) => each(text, (code) => `%${hex(code, 2)}`),
  "a form (URL standard, 5.1)": (text) => new URLSearchParams({ t: text }).toString().slice(2),
  "mrkdwn, and the least of HTML": html,
  "HTML with quotes": (text) => html(text).replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
  "HTML by number": (text) => each(text, (code) => `&#${code};`),
  "HTML by hexadecimal number": (text) => each(text, (code) => `&#x${hex(code, 2).toUpperCase()};`),
}

const BASE64: Record<string, (bytes: Buffer) => string> = {
  "base64 (RFC 4648, 4)": (bytes) => bytes.toString("base64"),
  "base64url (RFC 4648, 5)": (bytes) => bytes.toString("base64url"),
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

  test.each(Object.entries(BASE64))("within %s", async (_, encode) => {
    await holds(
      fc.property(
        credential,
        fc.uint8Array({ maxLength: 5 }),
        fc.uint8Array({ maxLength: 5 }),
        (secret, before, behind) => {
          const filter = createSecretFilter([secret])
          const text = encode(Buffer.concat([before, Buffer.from(secret), behind]))
          const cleaned = filter.clean(text)
          expect(cleaned).toContain("[secret]")
          // Three characters of the text hold parts of the secret and of its neighbours.
          expect(cleaned.length - "[secret]".length).toBeLessThan(
            text.length - Math.floor((secret.length * 8) / 6) + 4,
          )
        },
      ),
      100,
    )
  })

  test("written in one way, and that in another", async () => {
    const way = fc.constantFrom(...Object.values(ENCODINGS))
    const inner = fc.oneof(
      way,
      fc.constantFrom(...Object.values(BASE64)).map((f) => (text: string) => f(Buffer.from(text))),
    )
    await holds(
      fc.property(credential, inner, way, way, (secret, first, second, third) => {
        const filter = createSecretFilter([secret])
        const text = `so ${third(second(first(secret)))}!`
        const cleaned = filter.clean(text)
        expect(cleaned).toContain("[secret]")
        expect(filter.holds(cleaned)).toBe(false)
      }),
      200,
    )
  })

  test("in capitals, as a host of an address would be compared", () => {
    expect(createSecretFilter(["svc_0a1B2c3"]).holds("https://SVC_0A1b2C3.example/")).toBe(true)
  })

  test("of several, each is found", () => {
    const filter = createSecretFilter(["first-secret", "second-secret"])
    expect(filter.clean("a first-secret, a second%2Dsecret")).toBe("a [secret], a [secret]")
  })

  test("that is not ASCII, as a password of Redis may be", () => {
    const filter = createSecretFilter(["schlüssel"])
    for (const text of ["schlüssel", encodeURIComponent("schlüssel"), "SCHL%C3%BCSSEL"])
      expect(filter.holds(text)).toBe(true)
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

  test("also where a password is a common short word", () => {
    expect(createSecretFilter(["docs"]).clean("https://git.example/docs")).toContain("/docs")
  })

  test("and long texts are looked through at once", () => {
    const filter = createSecretFilter(['sv"c\\_51f0%c2&aa97'])
    for (const piece of ["\\", "%25", "&amp;", "%", "&", 'sv\\"c', "a"])
      expect(filter.holds(piece.repeat(40_000))).toBe(false)
  })
})
