import { Command } from 'cmdk';
import type { ComponentType, ReactNode } from 'react';

export function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint"
    >
      {children}
    </Command.Group>
  );
}

export function Entry({
  value,
  keywords = [],
  icon: Icon,
  onSelect,
  children,
}: {
  value: string;
  keywords?: readonly string[];
  icon: ComponentType<{ className?: string; 'aria-hidden'?: boolean }>;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={value}
      keywords={[...keywords]}
      onSelect={onSelect}
      className="flex h-9 items-center gap-2.5 rounded-sm px-2 text-sm data-[selected=true]:bg-hover pointer-coarse:h-11"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-dim" />
      <span className="truncate">{children}</span>
    </Command.Item>
  );
}
