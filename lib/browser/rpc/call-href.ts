/** Returns the address of the RPC page with this call filled in. Unlike `requestHref`, it loads no request parser. */
export function callHref(network: string, method: string, params: readonly unknown[] = []): string {
  return `/rpc?${new URLSearchParams({ network, method, params: JSON.stringify(params) }).toString()}`;
}

/** Returns the address of the RPC page with this request filled in, for requests of at most a few kilobytes. */
export function bodyHref(network: string, text: string): string {
  return `/rpc?${new URLSearchParams({ network, body: text }).toString()}`;
}
