'use client';

import { OPERATOR_PATH } from '@/lib/browser/operator/operator-path';
import { seenOperator } from '@/lib/browser/operator/seen-operator';
import { useStoredValue } from '@/lib/browser/stored-value';
import { shellWords } from '@/lib/browser/words/shell';
import type { ReactNode } from 'react';
import { RailLink } from './rail-link';

const PAGE = { href: OPERATOR_PATH, title: shellWords.operator };

/** Leads to the operator's page, in browsers that were an operator's when they last asked; nothing for everybody else. */
export function OperatorLink({ icon, className, labelClassName }: { icon: ReactNode; className: string; labelClassName?: string }) {
  if (!useStoredValue(seenOperator)) return null;
  return <RailLink page={PAGE} icon={icon} className={className} {...(labelClassName !== undefined && { labelClassName })} isLoadedWhole />;
}
