import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import '#ui/menu.css';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { t } from '#web/lib/t.ts';

/** Light, dark, or as the system is (design language, Dark theme). */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choices: { value: MantineColorScheme; word: string; Icon: typeof IconSun }[] = [
    { value: 'auto', word: t('跟随系统'), Icon: IconDeviceDesktop },
    { value: 'light', word: t('浅色'), Icon: IconSun },
    { value: 'dark', word: t('深色'), Icon: IconMoon },
  ];
  const Now = choices.find(({ value }) => value === colorScheme)?.Icon ?? IconSun;
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('外观')}>
          <Now size={20} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(next) => setColorScheme(next as MantineColorScheme)}>
          {choices.map(({ value, word, Icon }) => (
            <Menu.RadioItem
              key={value}
              value={value}
              closeMenuOnClick
              rightSection={<Icon size={18} stroke={1.6} aria-hidden />}
            >
              {word}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
