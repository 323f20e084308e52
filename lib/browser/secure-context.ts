'use client';

import { useBrowserStore } from './browser-store';

const never = () => () => undefined;

/**
 * Whether this page came by HTTPS or from this very machine, so that nobody on the way could change its code. What a
 * page encrypts or verifies is worth nothing otherwise. True until the page has come alive.
 */
export function useIsSecurePage(): boolean {
  return useBrowserStore(
    never,
    () => window.isSecureContext,
    () => true,
  );
}

/** The address of this page as it is on the machine of the gateway itself, where no certificate is needed. */
export function localAddress({ port, pathname }: Pick<Location, 'port' | 'pathname'>): string {
  return `http://localhost${port === '' ? '' : `:${port}`}${pathname}`;
}

/** A tunnel by which this page is reached from another machine as if it were that one. */
export function tunnelCommand({ port, hostname }: Pick<Location, 'port' | 'hostname'>): string {
  const number = port === '' ? '80' : port;
  return `ssh -N -L ${port === '' ? '8080' : port}:localhost:${number} ${hostname}`;
}
