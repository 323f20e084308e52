'use client';

import { Dialog, DialogContent } from '@/components/ui/dialog';
import { isHeldBack } from '@/lib/browser/connection/held-page';
import { payerPanel, shortcutSheet } from '@/lib/browser/opened';
import { useNetworks } from '@/lib/browser/networks';
import { OPERATOR_PATH } from '@/lib/browser/operator/operator-path';
import { seenOperator } from '@/lib/browser/operator/seen-operator';
import { requestHref } from '@/lib/browser/rpc/request-href';
import { composeRequest } from '@/lib/browser/rpc/request-text';
import { useStoredValue } from '@/lib/browser/stored-value';
import { type Theme, THEMES, useTheme } from '@/lib/browser/theme';
import { rankMatch } from '@/components/ui/search-rank';
import { useBestMatchShown } from '@/components/ui/use-best-match-shown';
import { METHODS, type RpcMethod } from '@/lib/protocol/rpc-methods';
import { exampleParams, METHOD_EXAMPLES } from '@/lib/protocol/rpc-methods/examples';
import { chooseWallet } from '@/lib/browser/wallet/wallet-store';
import { shellDialogWords } from '@/lib/browser/words/shell-dialogs';
import { Command } from 'cmdk';
import {
  Activity,
  Braces,
  CircleDollarSign,
  Globe,
  Keyboard,
  KeyRound,
  Lock,
  type LucideIcon,
  Monitor,
  Moon,
  Sun,
  Wallet,
} from 'lucide-react';
import { askForPage } from '@/lib/browser/navigation-progress';
import { useIsPageOffered } from '@/lib/browser/offers';
import { useRouter } from 'next/navigation';
import { type ReactNode, useDeferredValue, useRef } from 'react';
import { CONSOLE_PAGE_ICONS } from './console-page-icons';
import { CONSOLE_PAGES } from './console-pages';
import { pageElement } from './page-element';

const THEME_ICONS: Record<Theme, LucideIcon> = { light: Sun, dark: Moon, system: Monitor };

export function CommandPalette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const router = useRouter();
  const { networks } = useNetworks();
  const { setTheme } = useTheme();
  const isOffered = useIsPageOffered();
  const isOperator = useStoredValue(seenOperator);
  const hasGone = useRef(false);
  const { list, showBestMatch } = useBestMatchShown();
  // Renders the field and the visible options first; hundreds of methods follow after the paint.
  const isWhole = useDeferredValue(true, false);
  const run = (action: () => void) => {
    onOpenChange(false);
    action();
  };
  const go = (href: string) => {
    if (isHeldBack(new URL(href, window.location.origin).pathname)) return;
    hasGone.current = true;
    askForPage(href);
    router.push(href);
  };
  const openMethod = (method: RpcMethod) => {
    const network =
      networks.find(({ slug }) => slug === 'sandbox-testnet' && method.kind === 'evm') ??
      networks.find(({ kind }) => kind === method.kind);
    if (network)
      go(requestHref({ network: network.slug, text: composeRequest(method.name, exampleParams(method.name)) }));
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={shellDialogWords.search.title}
        hideTitle
        focusAfter={() => (hasGone.current ? pageElement() : null)}
        className="max-w-xl overflow-hidden p-0"
      >
        <Command label={shellDialogWords.search.label} filter={rankMatch} loop className="flex min-h-0 flex-col">
          <Command.Input
            autoFocus
            onValueChange={showBestMatch}
            placeholder={shellDialogWords.search.placeholder}
            className="h-12 shrink-0 border-b border-line bg-transparent px-4 text-base outline-none placeholder:text-faint"
          />
          <Command.List ref={list} className="max-h-[min(24rem,60dvh)] scroll-py-2 overflow-auto p-2">
            <Command.Empty className="px-3 py-8 text-center text-sm text-dim">
              {shellDialogWords.search.nothing}
            </Command.Empty>
            <Group heading={shellDialogWords.search.pages}>
              {CONSOLE_PAGES.filter(({ href }) => isOffered(href)).map(({ href, title }) => (
                <Entry
                  key={href}
                  value={title}
                  keywords={['page']}
                  icon={CONSOLE_PAGE_ICONS[href] ?? Globe}
                  onSelect={() => run(() => go(href))}
                >
                  {title}
                </Entry>
              ))}
              {isOperator && (
                <Entry
                  value={shellDialogWords.search.operator}
                  keywords={['page']}
                  icon={Activity}
                  onSelect={() => run(() => window.location.assign(OPERATOR_PATH))}
                >
                  {shellDialogWords.search.operator}
                </Entry>
              )}
            </Group>
            <Group heading={shellDialogWords.search.actions}>
              <Entry
                value={shellDialogWords.search.act.wallets}
                icon={Wallet}
                onSelect={() => run(() => chooseWallet('any'))}
              >
                {shellDialogWords.search.act.wallets}
              </Entry>
              <Entry
                value={shellDialogWords.search.act.payer}
                icon={KeyRound}
                onSelect={() => run(() => payerPanel.set(true))}
              >
                {shellDialogWords.search.act.payer}
              </Entry>
              <Entry
                value={shellDialogWords.search.act.topUp}
                icon={CircleDollarSign}
                onSelect={() => run(() => go('/top-up'))}
              >
                {shellDialogWords.search.act.topUp}
              </Entry>
              <Entry value={shellDialogWords.search.act.mint} icon={KeyRound} onSelect={() => run(() => go('/keys'))}>
                {shellDialogWords.search.act.mint}
              </Entry>
              <Entry value={shellDialogWords.search.act.chat} icon={Lock} onSelect={() => run(() => go('/chat'))}>
                {shellDialogWords.search.act.chat}
              </Entry>
            </Group>
            <Group heading={shellDialogWords.search.help}>
              <Entry
                value={shellDialogWords.search.shortcuts}
                icon={Keyboard}
                onSelect={() => run(() => shortcutSheet.set(true))}
              >
                {shellDialogWords.search.shortcuts}
              </Entry>
            </Group>
            <Group heading={shellDialogWords.search.theme}>
              {THEMES.map((theme) => (
                <Entry
                  key={theme}
                  value={shellDialogWords.search.themeChoice(theme)}
                  icon={THEME_ICONS[theme]}
                  onSelect={() => run(() => setTheme(theme))}
                >
                  {shellDialogWords.search.themeChoice(theme)}
                </Entry>
              ))}
            </Group>
            {isWhole && (
              <>
                <Group heading={shellDialogWords.search.networks}>
                  {networks.map(({ slug, name }) => (
                    <Entry
                      key={slug}
                      value={slug}
                      keywords={['network', name]}
                      icon={Globe}
                      onSelect={() => run(() => go(`/rpc?network=${slug}`))}
                    >
                      {name} <span className="figures text-xs text-faint">{slug}</span>
                    </Entry>
                  ))}
                </Group>
                <Group heading={shellDialogWords.search.methods}>
                  {METHODS.map((method) => (
                    <Entry
                      key={method.name}
                      value={method.name}
                      keywords={['method', METHOD_EXAMPLES.get(method.name)?.description ?? '']}
                      icon={Braces}
                      onSelect={() => run(() => openMethod(method))}
                    >
                      <span className="figures">{method.name}</span>
                    </Entry>
                  ))}
                </Group>
              </>
            )}
          </Command.List>
        </Command>
      </DialogContent>
    </Dialog>
  );
}

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint"
    >
      {children}
    </Command.Group>
  );
}

function Entry({
  value,
  keywords = [],
  icon: Icon,
  onSelect,
  children,
}: {
  value: string;
  keywords?: string[];
  icon: LucideIcon;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      keywords={keywords}
      onSelect={onSelect}
      className="flex h-9 items-center gap-2.5 rounded-sm px-2 text-sm data-[selected=true]:bg-hover pointer-coarse:h-11"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-dim" />
      <span className="truncate">{children}</span>
    </Command.Item>
  );
}
