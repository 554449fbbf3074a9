import rich from '#ui/RichText.module.css';
import options from '../question/Options.module.css';
import question from '../question/Question.module.css';

const classes = {
  ...{ card: question.card, section: question.section, head: question.head, number: question.number },
  ...{ chip: question.chip, points: question.points, topic: `${rich.text} ${question.topic}` },
  ...{ options: options.options, option: options.option, badge: options.badge, text: `${rich.text} ${options.text}` },
};

/**
 * Draws the first question of a paper over the bones of the exam's page once it has come, before the code that lets it be answered: on a
 * slow phone that is a second later. It is seen as the screen will show it, at the same place, and goes in the moment in which the bones
 * go, whatever takes their place. Options that were pressed meanwhile are pressed on the screen then.
 *
 * Only what cannot look otherwise later is drawn: the record is new, the question is one of letters without material, its texts are words
 * and a few tags without attributes, which need no cleaning. Who listens to the page hears of it from the screen.
 *
 * A function of the paper (`/api/exam/details`) and what is stored of the record (`/api/exam/cache`), as text: it is part of a script that
 * the policy of a page names by its hash (web/exam/session/ask-ahead.ts). `data-first-question` is on what it draws.
 */
export const FIRST_QUESTION = `function(paper,stored){
var c=${JSON.stringify(classes)},d=document,root=d.getElementById("root"),bones=root.querySelector("[role=progressbar][aria-busy]"),
q=paper.questions[0],letters=Object.keys(q.options).sort(),many=q.questionTypesId===3||q.questionTypesId===5,section="",
plain=/^(?:[^<&\\\\$]|<\\/?(?:p|br|strong|em|u|sub|sup)>|&(?:nbsp|lt|gt|amp|quot);)*$/,pressed={},
texts=[q.topic].concat(letters.map(function(l){return q.options[l]}));
function remembered(name){try{return localStorage.getItem("lixue."+name)||""}catch(e){return ""}}
if(!bones||letters.length<2||q.parentCaseStudyId!==null||stored.submittedAt!==null||stored.answers.length||stored.place
||remembered("exam.places").indexOf('"recordId":'+stored.recordId+",")>=0||!texts.every(function(t){return plain.test(t)})
||![].every.call(d.querySelectorAll("body link[rel=stylesheet]"),function(l){return l.sheet}))return;
var size=remembered("question-size");if(size==="2"||size==="3")d.documentElement.dataset.questionSize=size;
function add(to,tag,of,text){var e=d.createElement(tag);e.className=c[of]||"";if(text)e.textContent=text;return to.appendChild(e)}
function says(e,html){e.innerHTML=html;e.lang=/[\\u3400-\\u9fff]/.test(html)?"zh-CN":"en";return e}
var over=bones.cloneNode(true),place,card=d.createElement("article");
["role","aria-label","aria-busy"].forEach(function(a){over.removeAttribute(a)});
over.setAttribute("aria-hidden","true");over.dataset.firstQuestion="";
over.style.cssText="position:fixed;inset:0;z-index:1;background:var(--paper)";
place=over.children[1].firstElementChild;place.textContent="";place.appendChild(card);card.className=c.card;
if(paper.sections.length>1)paper.sections.forEach(function(s){if(s.questionIds.indexOf(q.questionId)>=0&&s.title)add(card,"p","section",s.title)});
var head=add(card,"div","head");add(head,"span","number","1");
[5,3].concat(many?[11]:[]).forEach(function(wide,at){add(head,"span",at?"points":"chip","\\u00a0").style.minWidth=wide+"em"});
says(add(card,"div","topic"),q.topic);
var list=add(card,"div","options");
letters.forEach(function(l){var row=add(list,"div","option"),badge=add(row,"span","badge",l);if(many)badge.dataset.many="";
says(add(row,"div","text"),q.options[l]);
row.onclick=function(){var was=pressed[l];if(!many)pressed={};pressed[l]=!was||!many;
[].forEach.call(list.children,function(r,at){if(pressed[letters[at]])r.dataset.chosen="true";else delete r.dataset.chosen})}});
d.body.appendChild(over);
var watch=new MutationObserver(function(){if(root.querySelector("[role=progressbar][aria-busy]"))return;watch.disconnect();over.remove();
var shown=root.querySelectorAll("[role=radio],[role=checkbox]");
letters.forEach(function(l,at){if(pressed[l]&&shown[at]&&shown[at].textContent===list.children[at].textContent)shown[at].click()})});
watch.observe(root,{childList:true,subtree:true})}`;
