import { LogLevel } from "@slack/web-api"

const silent = () => undefined

/** Logger for clients whose failures a test provokes and checks itself. */
export const silentLogger = {
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  setLevel: silent,
  getLevel: () => LogLevel.ERROR,
  setName: silent,
}
