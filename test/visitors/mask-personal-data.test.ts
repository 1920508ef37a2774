import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { maskReaderText } from "../../src/lib/mask-personal-data.ts"
import { holds } from "../helpers/property.ts"
import { quickest } from "../helpers/quickest.ts"
import { CANARIES } from "../sandbox/docs-service/analytics/canaries.ts"

describe("in a reader's words", () => {
  test.each([
    ["My address is ada@example.com, thanks", "My address is [email], thanks"],
    ["write to Ada.Lovelace+docs@mail.example.co.uk!", "write to [email]!"],
    ["ä.ö@bücher.example", "[email]"],
    ["my key is sk_live_51H8x9Qb2ZrTvKp7WnYd", "my key is [secret]"],
    ["ghp_16C7e42F292c6912E7710c838347Ae178B4a", "[secret]"],
    ["AKIAIOSFODNN7EXAMPLE", "[secret]"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "[secret]"],
    ["id 123e4567-e89b-12d3-a456-426614174000", "id [secret]"],
    ["curl -H 'token: 9f86d081884c7d65'", "curl -H 'token: [secret]"],
    ["password: hunter", "password: [secret]"],
    ["my password is hunter2, why?", "my password is [secret] why?"],
    ["api_key=abcdef", "api_key=[secret]"],
    ["/in?pass=hunter&page=2", "/in?pass=[secret]&page=2"],
    ["db_pass: hunter", "db_pass: [secret]"],
    ["compass=north bypass: yes passport=1", "compass=north bypass: yes passport=1"],
    ["GET /x?access_token=abc&page=2", "GET /x?access_token=[secret]&page=2"],
    ["CLIENT-SECRET : 'abc'", "CLIENT-SECRET : [secret]"],
    ["mail bob(at)example.com please", "mail [email] please"],
    ["bob [at] example [dot] com", "[email]"],
    ["4111_1111_1111_1111 or 4111 / 1111 / 1111 / 1111", "[number] or [number]"],
    ["0170:123:45:67", "[number]"],
    ["postgres://me:pw@db.example/x", "postgres://[secret]@db.example/x"],
    ["card 4111 1111 1111 1111", "card [number]"],
    ["call +49 (170) 123-4567", "call [number]"],
    ["IBAN DE89 3704 0044 0532 0130 00", "IBAN DE[number]"],
    ["from 192.168.100.200", "from [number]"],
    ["４１１１ １１１１ １１１１ １１１１", "[number]"],
    ["/users/jane%40example.com/settings", "/users/[email]/settings"],
    ["why does /x?email=jane%2540example%2Ecom&y=1 fail", "why does /x?email=[email]&y=1 fail"],
    ["jane%40b%C3%BCcher.example", "[email]"],
    ["jane\u200b@\u2060exam\u00adple.com", "[email]"],
    ["jane＠example．com", "[email]"],
    ["password: hunter%20two of jane%40example.com", "password: [secret] of [email]"],
    ["/x%3Faccess_token%3Dabc", "/x?access_token=[secret]"],
    ["wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "[secret]"],
    ["try deadbeef1deadbeef2", "try [secret]"],
  ])("%s has nothing personal left", (words, masked) => {
    expect(maskReaderText(words)).toBe(masked)
  })

  test.each([
    "How do I rotate an API key?",
    "token is missing",
    "Is there a limit of 100 requests in 60 minutes?",
    "visitors from 2026-11-01 2026-11-07",
    "upgrade from 1.12.3 to 2.0.0",
    "/api-reference/authentication/oauth2-client-credentials",
    "error_code_E1000_not_found",
    "/a%2Fb%20c/100%25",
    "می\u200cخواهم",
    "認証の方法を教えてください",
    "ask @ada about it",
  ])("%s stays as it is", (words) => {
    expect(maskReaderText(words)).toBe(words)
  })

  test.each(Object.entries(CANARIES).filter(([name]) => name !== "response"))(
    "the canary %s goes wherever it stands",
    async (_, canary) => {
      const around = fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/\S{20,}/g, ""))
      await holds(
        fc.property(around, around, (before, after) => {
          expect(maskReaderText(`${before} ${canary} ${after}`)).not.toContain(canary)
        }),
      )
    },
  )

  test("no half of an address is left where a long text is cut", () => {
    const masked = maskReaderText(`${"word ".repeat(98)}${CANARIES.email} and more`)
    expect(masked).toMatch(/^word/)
    expect(masked).not.toContain("canary")
  })

  test.each([
    ["password", " "],
    ["a@", "b"],
    ["", "a."],
    ["", "1 "],
    ["", "key"],
    ["token is", "\t"],
    ["://", "x"],
    ["", "eyJabcdefgh."],
    ["bob", " (at)"],
    ["pass", "word is "],
  ])("100 kB of “%s” and then “%s” are masked at once", (head, part) => {
    const text = `${head}${part.repeat(100_000 / part.length)}!`
    expect(quickest(() => maskReaderText(text))).toBeLessThan(5)
  })
})
