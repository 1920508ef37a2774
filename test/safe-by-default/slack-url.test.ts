import { expect, test } from "vitest"
import { isSlackUrl } from "../../src/slack/client.ts"

const API = "https://slack.com/api/"
const LOCAL = "http://127.0.0.1:4000/api/"

test.each([
  ["https://hooks.slack.com/commands/T1/2/3", API],
  ["https://hooks.slack-gov.com/actions/T1/2/3", "https://slack-gov.com/api/"],
  ["https://files.slack.com/upload/v1/x", API],
  ["https://slack.com/api/response", API],
  ["http://127.0.0.1:4000/response/1", LOCAL],
  ["https://hooks.slack.com/commands/T1/2/3", LOCAL],
])("%s is Slack's, with the Web API at %s", (url, api) => {
  expect(isSlackUrl(url, api)).toBe(true)
})

test.each([
  ["http://hooks.slack.com/commands/T1/2/3", API],
  ["https://hooks.slack.com:8443/commands", API],
  ["https://hooks.slack.com@evil.example/", API],
  ["https://someone:secret@hooks.slack.com/", API],
  ["https://evilslack.com/", API],
  ["https://hooks.slack.com.evil.example/", API],
  ["https://evil.example/hooks.slack.com", API],
  ["http://169.254.169.254/latest/meta-data/", API],
  ["http://127.0.0.1:4001/response/1", LOCAL],
  ["https://127.0.0.1:4000/response/1", LOCAL],
  ["file:///etc/passwd", API],
  ["/commands", API],
  ["", API],
])("%s is not, with the Web API at %s", (url, api) => {
  expect(isSlackUrl(url, api)).toBe(false)
})
