'use client';

import { useEffect, useState } from 'react';
import type { Connector } from 'wagmi';

/**
 * The link by which a wallet on a phone finds this page, while a WalletConnect connector is connecting. It is a secret
 * between the two: shown, never kept.
 *
 * @returns the link (`wc:…`, EIP-1328); null until there is one
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
