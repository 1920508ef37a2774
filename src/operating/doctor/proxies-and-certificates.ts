import { networkFault } from "../../lib/http-client.ts"

/** Party that a request was for, its address, and the setting with that address. */
interface Party {
  name: string
  url: string
  setting: string
}

/** Explains why no connection was made, by what stands before the party; undefined if unclear. */
export function whyNoConnection(cause: unknown, { name, url, setting }: Party) {
  const { code = "", ...failed } = networkFault(cause)
  const [, status] = /^PROXY_(\d+)$/.exec(code) ?? []
  if (status === "407")
    return {
      says: `The proxy in HTTPS_PROXY demands a login (407), so ${name} can't be reached`,
      next: "Put the user and password in the proxy's URL: http://USER:PASSWORD@HOST:PORT.",
    }
  if (status)
    return {
      says: `The proxy in HTTPS_PROXY refused the connection to ${name} (${status})`,
      next: `Allow the host in ${setting} in the proxy, or list it in NO_PROXY.`,
    }
  if (isElsewhere(failed, new URL(url)))
    return {
      says: `The proxy in HTTPS_PROXY doesn't respond (${code}), so ${name} can't be reached either`,
      next: `Correct the proxy's address in HTTPS_PROXY, or list the host in ${setting} in NO_PROXY.`,
    }
  if (/CERT|SIGNATURE/.test(code))
    return {
      says: `The certificate of ${name} isn't trusted (${code})`,
      next: `If your organization's proxy or certificate authority issued it, set NODE_EXTRA_CA_CERTS to the path of its CA certificate. Otherwise check ${setting}.`,
    }
  if (/SSL|TLS/.test(code))
    return {
      says: `Couldn't connect to ${name} over TLS (${code})`,
      next: `Check whether ${setting} should start with https:// or http://. If your organization issued the certificate, set NODE_EXTRA_CA_CERTS to the path of its CA certificate.`,
    }
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code))
    return {
      says: `No address was found for the host of ${name} (${code})`,
      next: `Correct the host in ${setting}, or check DNS on this machine.`,
    }
  return undefined
}

/** Returns whether the host or port that failed isn't the party's own: then it is the proxy's. */
function isElsewhere(
  failed: { hostname?: string | undefined; port?: number | undefined },
  own: URL,
): boolean {
  const usual = own.protocol === "https:" ? 443 : 80
  const { hostname = own.hostname, port = Number(own.port) || usual } = failed
  return hostname !== own.hostname || port !== (Number(own.port) || usual)
}
