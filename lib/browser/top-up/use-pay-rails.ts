'use client';

import { useMemo } from 'react';
import { useSandbox } from '../sandbox';
import { useGatewaySettings } from '../settings';
import { type PayRail, payRailsOf } from './pay-rails';

/** Returns the rails on which this gateway accepts payments. `isLoading` is true until the rails arrive. */
export function usePayRails(): {
  rails: readonly PayRail[];
  isLoading: boolean;
  error: Error | null;
  retry: () => void;
} {
  const settings = useGatewaySettings();
  const sandbox = useSandbox();
  const rails = useMemo(() => payRailsOf(settings.data ?? null, sandbox.data ?? null), [settings.data, sandbox.data]);
  return {
    rails,
    isLoading: settings.isPending || sandbox.isPending,
    error: settings.error,
    retry: () => void settings.refetch(),
  };
}
