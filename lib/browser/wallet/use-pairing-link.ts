'use client';

import { useEffect, useState } from 'react';
import type { Connector } from 'wagmi';

/**
 * Returns the pairing link for a phone wallet while a WalletConnect connector connects. The page shows the link but
 * never stores it, because the link is a secret.
 *
 * @returns the link (`wc:…`, EIP-1328); null until the connector has one
 */
export function usePairingLink({ emitter }: Connector): string | null {
  const [link, setLink] = useState<string | null>(null);
  useEffect(() => {
    const hear = ({ type, data }: { type: string; data?: unknown }) => {
      if (type === 'display_uri' && typeof data === 'string') setLink(data);
    };
    emitter.on('message', hear);
    return () => emitter.off('message', hear);
  }, [emitter]);
  return link;
}
