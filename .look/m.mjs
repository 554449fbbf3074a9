import { chromium } from '@playwright/test'; import { readdirSync, readFileSync } from 'node:fs';
const b=await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell'}); const p=await b.newPage({viewport:{width:1500,height:700}});
const dir='/dev/shm/papers-h'; const pre=process.argv[2];
const fs=readdirSync(dir).filter(f=>f.startsWith('pg-'+pre+'-')).sort();
await p.setContent('<body style="margin:0;background:#888;display:grid;grid-template-columns:repeat(5,1fr);gap:4px">'+fs.map(f=>`<img style="width:100%" src="data:image/png;base64,${readFileSync(dir+'/'+f).toString('base64')}">`).join(''));
await p.screenshot({path:`${dir}/m-${pre}.png`,fullPage:true}); await b.close();
