'use client';

import { useBrowserStore } from '@/lib/browser/storage/stored-value';

const never = () => () => undefined;

/**
 * Returns whether this page came over HTTPS or from this machine. On any other page, an intermediary could change the
 * code, so encryption and verification prove nothing. True until hydration.
 */
export function useIsSecurePage(): boolean {
  return useBrowserStore(
    never,
    () => window.isSecureContext,
    () => true,
  );
}

/** Returns this page's URL on the gateway's own machine, where no certificate is needed. */
export function localAddress({ port, pathname }: Pick<Location, 'port' | 'pathname'>): string {
  return `http://localhost${port === '' ? '' : `:${port}`}${pathname}`;
}

/** Returns an SSH command that makes this page reachable at localhost from another machine. */
export function tunnelCommand({ port, hostname }: Pick<Location, 'port' | 'hostname'>): string {
  const number = port === '' ? '80' : port;
  return `ssh -N -L ${port === '' ? '8080' : port}:localhost:${number} ${hostname}`;
}
