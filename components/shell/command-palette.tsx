'use client';

import { showChatView } from '@/components/chat/chat-view';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';
import { isHeldBack, askForPage, pageElement } from '@/lib/browser/page/navigation';
import { loadCode } from '@/lib/browser/page/load-code';
import { faucetDialog, payerPanel, shortcutSheet } from '@/lib/browser/page/opened';
import { OPERATOR_PATH, seenOperator } from '@/lib/browser/credential/credential';
import { useStoredValue } from '@/lib/browser/storage/stored-value';
import { type Theme, THEMES, useTheme } from '@/lib/browser/page/theme';
import { rankMatch, useBestMatchShown } from '@/components/ui/best-match';
import { chooseWallet } from '@/lib/browser/wallet/wallet-store';
import { shellDialogWords } from './dialog-words';
import { Command } from 'cmdk';
import {
  Activity,
  CircleDollarSign,
  Droplet,
  Eye,
  Globe,
  Keyboard,
  KeyRound,
  Lock,
  type LucideIcon,
  Monitor,
  Moon,
  Search,
  Sun,
  Undo2,
  Wallet,
} from 'lucide-react';
import { useIsPageOffered, useSandbox } from '@/lib/browser/reads/settings';
import { useRouter } from 'next/navigation';
import { type ComponentType, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { CONSOLE_PAGE_ICONS } from './console-page-icons';
import { CONSOLE_PAGES } from '@/lib/browser/page/console-pages';
import { Entry, Group } from './search-entry';
import type { SearchRowsProps } from './search-rows';

const words = shellDialogWords.search;

const THEME_ICONS: Record<Theme, LucideIcon> = { light: Sun, dark: Moon, system: Monitor };

function rowOf(list: HTMLElement | null, isSelected = false): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[cmdk-item]${isSelected ? '[aria-selected=true]' : ''}`) ?? null;
}

/** Waits two frames, because cmdk finds new rows only after they have registered. */
function onceRegistered(act: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(act));
}

export function CommandPalette({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const router = useRouter();
  const { setTheme } = useTheme();
  const isOffered = useIsPageOffered();
  const isOperator = useStoredValue(seenOperator);
  const isSandbox = Boolean(useSandbox().data);
  const hasGone = useRef(false);
  const { list, showBestMatch } = useBestMatchShown();
  const [text, setText] = useState('');
  const [selected, setSelected] = useState('');
  const isReady = useRef(false);
  const isAsked = useRef(false);
  const [Rows, setRows] = useState<ComponentType<SearchRowsProps> | null>(null);
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
  const chooseRow = useCallback(() => {
    const row = rowOf(list.current, true) ?? rowOf(list.current);
    row?.click();
  }, [list]);
  const onReady = useCallback(() => {
    isReady.current = true;
    if (isAsked.current) onceRegistered(chooseRow);
    isAsked.current = false;
  }, [chooseRow]);
  /** Selects the first row if no row is selected, because cmdk does this only while the user types. */
  const onRows = useCallback(() => {
    onceRegistered(() => {
      if (rowOf(list.current, true) === null) setSelected(rowOf(list.current)?.dataset.value ?? '');
    });
  }, [list]);
  useEffect(() => {
    loadCode(() => import('./search-rows')).then((module) => setRows(() => module.SearchRows), onReady);
  }, [onReady]);
  /** Delays an Enter until the rows have loaded, because a row that loads later may match better. */
  const waitForRows = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      const isFinal = isReady.current || isAsked.current;
      if (isFinal && rowOf(list.current, true) !== null) return;
      event.preventDefault();
      event.stopPropagation();
      if (isFinal) return chooseRow();
    }
    isAsked.current = event.key === 'Enter';
  };
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        title={words.title}
        hideTitle
        focusAfter={() => (hasGone.current ? pageElement() : null)}
        className="max-w-xl overflow-hidden p-0"
      >
        <Command
          label={words.label}
          value={selected}
          onValueChange={setSelected}
          filter={rankMatch}
          loop
          className="flex min-h-0 min-w-0 flex-col"
        >
          <div className="flex h-12 shrink-0 items-center gap-2.5 border-b border-line px-4">
            <Search aria-hidden className="size-4 shrink-0 text-dim" />
            <Command.Input
              autoFocus
              onValueChange={(value) => {
                setText(value);
                showBestMatch();
              }}
              onKeyDown={waitForRows}
              placeholder={words.placeholder}
              className="h-full min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
            />
          </div>
          <Command.List ref={list} className="max-h-[min(24rem,60dvh)] scroll-py-2 overflow-auto p-2">
            <Command.Empty className="px-3 py-8 text-center text-sm text-dim">{words.nothing}</Command.Empty>
            <Group heading={words.pages}>
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
                  value={words.operator}
                  keywords={['page']}
                  icon={Activity}
                  onSelect={() => run(() => go(OPERATOR_PATH))}
                >
                  {words.operator}
                </Entry>
              )}
            </Group>
            <Group heading={words.actions}>
              <Entry value={words.act.wallets} icon={Wallet} onSelect={() => run(() => chooseWallet('any'))}>
                {words.act.wallets}
              </Entry>
              <Entry value={words.act.payer} icon={KeyRound} onSelect={() => run(() => payerPanel.set(true))}>
                {words.act.payer}
              </Entry>
              {isOffered('/top-up') && (
                <>
                  <Entry
                    value={words.act.topUp}
                    keywords={words.act.also.topUp}
                    icon={CircleDollarSign}
                    onSelect={() => run(() => go('/top-up'))}
                  >
                    {words.act.topUp}
                  </Entry>
                  <Entry
                    value={words.act.withdraw}
                    keywords={words.act.also.withdraw}
                    icon={Undo2}
                    onSelect={() => run(() => go('/top-up#withdraw'))}
                  >
                    {words.act.withdraw}
                  </Entry>
                </>
              )}
              {isSandbox && (
                <Entry
                  value={words.act.faucet}
                  keywords={words.act.also.faucet}
                  icon={Droplet}
                  onSelect={() => run(() => faucetDialog.set(true))}
                >
                  {words.act.faucet}
                </Entry>
              )}
              {isOffered('/keys') && (
                <Entry value={words.act.mint} icon={KeyRound} onSelect={() => run(() => go('/keys'))}>
                  {words.act.mint}
                </Entry>
              )}
              {isOffered('/chat') && (
                <>
                  <Entry value={words.act.chat} icon={Lock} onSelect={() => run(() => go('/chat'))}>
                    {words.act.chat}
                  </Entry>
                  <Entry
                    value={words.act.readers}
                    keywords={words.act.also.readers}
                    icon={Eye}
                    onSelect={() =>
                      run(() => {
                        showChatView('lock');
                        go('/chat');
                      })
                    }
                  >
                    {words.act.readers}
                  </Entry>
                </>
              )}
            </Group>
            <Group heading={words.help}>
              <Entry value={words.shortcuts} icon={Keyboard} onSelect={() => run(() => shortcutSheet.set(true))}>
                {words.shortcuts}
              </Entry>
            </Group>
            <Group heading={words.theme}>
              {THEMES.map((theme) => (
                <Entry
                  key={theme}
                  value={words.themeChoice(theme)}
                  icon={THEME_ICONS[theme]}
                  onSelect={() => run(() => setTheme(theme))}
                >
                  {words.themeChoice(theme)}
                </Entry>
              ))}
            </Group>
            {Rows !== null && <Rows text={text} run={run} go={go} onReady={onReady} onRows={onRows} />}
          </Command.List>
          <p
            aria-hidden
            className="flex shrink-0 items-center gap-1.5 border-t border-line px-4 py-2 text-xs text-faint pointer-coarse:hidden max-sm:hidden"
          >
            <Kbd>↑</Kbd> <Kbd>↓</Kbd> {words.keys.move} <Kbd className="ml-2">⏎</Kbd> {words.keys.open}
            <Kbd className="ml-2">Esc</Kbd> {words.keys.close}
          </p>
        </Command>
      </DialogContent>
    </Dialog>
  );
}
