import { chromium } from '@playwright/test';
const base='http://127.0.0.1:5120', out='/dev/shm/papers-h';
const browser = await chromium.launch({ executablePath:'/usr/bin/chromium-headless-shell' });
const login = async (ctx, phone) => {
  const r = ctx.request;
  const rep = await r.post(base+'/api/user/login',{data:{phone,password:'lixue-demo'}, headers:{origin:base}});
  const t = await rep.text(); if(!t.includes('"code":200')) console.log(t);
};
const get = async (ctx, p) => (await (await ctx.request.get(base+p)).json()).data;
const post = async (ctx, p, data) => { const j= await (await ctx.request.post(base+p,{data,headers:{origin:base}})).json(); if(j.code!==200) console.log(p, JSON.stringify(j)); return j.data; };
const ctx = await browser.newContext({viewport:{width:1440,height:900}, locale:'zh-CN'});
await login(ctx,'13800000001');
const packs=(await get(ctx,'/api/user/course_list')).list; console.log(packs.map(p=>[p.packId,p.packageName]));
const packId=packs[0].packId;
const shot = async (path, name, {w=1440,h=900,dark=false,full=false,act}={}) => {
  const page = await ctx.newPage(); await page.setViewportSize({width:w,height:h}); await page.emulateMedia({colorScheme: dark?'dark':'light'});
  page.on('pageerror', e=>console.log(name,'pageerror',e.message)); page.on('console', m=>{ if(m.type()==='error') console.log(name, m.text()); });
  await page.goto(base+path); await page.waitForTimeout(1200); if(act) await act(page);
  await page.screenshot({path:`${out}/${name}.png`, fullPage:full}); return page;
};
export { ctx, base, out, get, post, shot, packId, packs, browser, login };
