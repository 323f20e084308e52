'use client';

import { usePathname } from 'next/navigation';
import { CommandPaletteButton } from './command-palette-button';
import { AccountQuestion } from '@/components/paying/account-question';
import { PayerControl } from '@/components/paying/payer-control';
import { WalletButton } from '@/components/wallet/wallet-button';
import { useBrand } from '@/lib/browser/brand';
import { BrandMark } from './brand-mark';
import { CONSOLE_PAGES } from './console-pages';
import { ThemeSwitch } from './theme-switch';

export function TopBar() {
  const path = usePathname();
  const { name } = useBrand();
  const page = CONSOLE_PAGES.find(({ href }) => href === path);
  return (
    <header className="flex h-12 shrink-0 items-center short:h-11 gap-1 border-b sm:gap-2 border-line px-3 lg:px-4">
      <BrandMark className="size-5.5 shrink-0 max-[24rem]:hidden md:hidden" />
      <p className="min-w-0 flex-1 truncate text-base font-semibold tracking-tight sm:text-lg">
        <span className="sm:hidden">{page?.shortTitle ?? page?.title ?? name}</span>
        <span className="hidden sm:inline">{page?.title ?? name}</span>
      </p>
      <CommandPaletteButton />
      <PayerControl />
      <WalletButton />
      <ThemeSwitch />
      <AccountQuestion />
    </header>
  );
}
