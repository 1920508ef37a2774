import { expect, test } from "vitest"
import { linkTarget } from "../../sandbox/page/model/links.ts"

const MESSAGE = { kind: "message", channel: "C0DOCS0001", ts: "1795298400.000100" }

test.each([
  ["https://local-docs.slack.com/archives/C0DOCS0001/p1795298400000100", MESSAGE],
  [
    "https://local-docs.slack.com/archives/C0DOCS0001/p1795298400000100?thread_ts=1795298300.000100&cid=C0DOCS0001",
    MESSAGE,
  ],
  ["http://127.0.0.1:4123/acme/docs/pull/214", { kind: "local" }],
  ["http://localhost:4000/", { kind: "local" }],
  ["http://[::1]:4000/", { kind: "local" }],
  ["https://docs.example.com/keys", { kind: "outside" }],
  ["https://127.0.0.1.example.com/", { kind: "outside" }],
  ["https://localhost@example.com/", { kind: "outside" }],
  ["https://evil.example/archives/C0DOCS0001/p1795298400000100", { kind: "outside" }],
  ["https://local-docs.slack.com/archives/C0DOCS0001", { kind: "outside" }],
  ["mailto:ada@example.com", { kind: "outside" }],
  ["tel:+123", { kind: "outside" }],
  ["javascript:alert(1)", undefined],
  ["data:text/html,x", undefined],
  ["https://", undefined],
  ["/api/files/x", undefined],
])("%s leads to %j", (url, target) => {
  expect(linkTarget(url)).toEqual(target)
})
