import type { BadSettings, World } from "./world-of-settings.ts"

/** Returns the settings of a bot that starts a redis-server of its own. */
const ownServer = ({ serverFolder }: World) => ({ REDIS_URL: "", PATH: serverFolder })

/** Values of `REDIS_URL` and `DATA_DIR` with which the bot has no Redis that it can use. */
export const BAD_REDIS: readonly BadSettings[] = [
  {
    kind: "no Redis there",
    spoil: () => ({ REDIS_URL: "redis://127.0.0.1:1" }),
    doctor: /fault +redis +Redis isn't responding \(.*ECONNREFUSED.*\n +→ Start Redis, or correct/,
    start: /ECONNREFUSED.*"msg":"Redis isn't responding/,
  },
  {
    kind: "another server instead of Redis",
    spoil: ({ elsewhere }) => ({ REDIS_URL: elsewhere.page.replace("http:", "redis:") }),
    doctor: /fault +redis +The server in REDIS_URL isn't Redis\n +→ .*correct the address/,
    start: /The server in REDIS_URL isn't Redis/,
  },
  {
    kind: "no host of Redis's name",
    spoil: () => ({ REDIS_URL: "redis://redis.invalid:6379" }),
    doctor: /fault +redis .*\n +→ Correct the host in REDIS_URL, or check DNS/,
    start: /"next":"Correct the host in REDIS_URL, or check DNS/,
  },
  {
    kind: "a Redis without TLS",
    spoil: ({ redis }) => ({ REDIS_URL: redis.late.replace("redis:", "rediss:") }),
    doctor: /fault +redis +Redis isn't responding .*\n +→ .* whether it needs rediss:\/\//,
    start: /"next":"[^"]* whether it needs rediss:\/\//,
  },
  {
    kind: "a Redis with a password",
    spoil: ({ redis }) => ({ REDIS_URL: redis.locked }),
    doctor: /fault +redis +Redis rejected the user.*\n +→ Correct the user and password in/,
    start: /Redis rejected the user or password in REDIS_URL/,
  },
  {
    kind: "an old Redis",
    spoil: ({ redis }) => ({ REDIS_URL: redis.old }),
    doctor: /fault +redis +Redis 5\.0\.14 is too old\n +→ Install Redis 6\.2/,
    start: /Redis 5\.0\.14 is too old\. Install Redis 6\.2/,
  },
  {
    kind: "a Redis without room",
    spoil: ({ redis }) => ({ REDIS_URL: redis.full }),
    doctor: /fault +redis +Redis is out of memory.*\n +→ .*REDIS_URL/,
    start: /Redis is out of memory.*not ready yet/,
  },
  {
    kind: "a Redis whose clock is off",
    spoil: ({ redis }) => ({ REDIS_URL: redis.late }),
    doctor:
      /fault +clock +Redis's clock is 1\d\d\.\d s behind .*\n +→ Turn on time synchronization/,
  },
  {
    kind: "no Redis anywhere",
    spoil: ({ folder }) => ({ REDIS_URL: "", PATH: folder, DATA_DIR: folder }),
    doctor:
      /fault +redis +No Redis: REDIS_URL isn't set and .*\n +→ Set REDIS_URL, or install redis-server/,
    start: /No Redis: set REDIS_URL, or install redis-server/,
  },
  {
    kind: "no folder for a Redis of its own",
    spoil: (world) => ({ ...ownServer(world), DATA_DIR: "/dev/null/data" }),
    doctor: /fault +redis +Docs Agent's own redis-server can't keep .*\n +→ Set DATA_DIR/,
    start: /own redis-server can't keep its data in .*\. Set DATA_DIR to a folder/,
  },
  {
    kind: "a folder too long for a Redis of its own",
    spoil: (world) => ({ ...ownServer(world), DATA_DIR: "a".repeat(100) }),
    doctor: /fault +redis +DATA_DIR is too long .*\n +→ Set a shorter DATA_DIR/,
    start: /DATA_DIR is too long .*\. Set a shorter DATA_DIR/,
  },
]
